import { BundleError } from './bundle-error.ts'
import { JsonNode } from './json-node.ts'
import { ParseLog } from './parse-log.ts'
import { type Template, templateField } from './template.ts'

/** The template of a parsed template.json. Throws BundleError with every fault; warnings do not throw. */
export function parseTemplate(json: unknown): Template {
  const log = new ParseLog()
  const template = readTemplate(json, log)
  if (template === null) throw new BundleError(log.faults.faults)
  return template
}

/** The same without throwing: null if the log has an error. */
export function readTemplate(json: unknown, log: ParseLog): Template | null {
  const template = templateField.read(new JsonNode(json, log))
  return template === undefined || log.faults.hasErrors ? null : template
}
