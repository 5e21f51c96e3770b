import { extensions } from '../endings.ts'
import { makeKey } from '../vitrine.ts'
import type { Design } from './bulk-types.ts'
import type { Past, Task } from './journal.ts'

/** Templates per request: the service's limit. */
const TEMPLATES_MAX = 12

/** A design with its remaining tasks. */
export type Work = { readonly design: Design; readonly tasks: readonly Task[]; readonly left: number }

const byFormat: Readonly<Record<string, string | undefined>> = extensions

/** The service refuses an unknown format, with the reason. */
export const extensionOf = (format: string | undefined): string => byFormat[format ?? ''] ?? extensions.jpeg

/** Repeats requests that were in progress, and makes new ones for the remaining templates. */
export function buildTasks(design: string, templates: readonly string[], past: Past): readonly Task[] {
  const repeated = new Map<string, Task>()
  const fresh: string[] = []
  for (const template of templates) {
    const task = past.findUnfinished({ design, template })
    if (task === null || task.templates.some(template => !isWanted(design, template, templates, past)))
      fresh.push(template)
    else repeated.set(task.key, task)
  }
  return [...repeated.values(), ...splitTemplates(fresh)]
}

/** Whether a mockup of a repeated request is still wanted, or is already done. */
function isWanted(design: string, template: string, templates: readonly string[], past: Past): boolean {
  return templates.includes(template) || past.isDone({ design, template })
}

/** Makes new requests, each for at most `size` templates. */
export function splitTemplates(templates: readonly string[], size = TEMPLATES_MAX): readonly Task[] {
  const tasks: Task[] = []
  for (let start = 0; start < templates.length; start += size)
    tasks.push({ key: makeKey(), templates: templates.slice(start, start + size) })
  return tasks
}
