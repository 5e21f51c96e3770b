import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** A lit template's mockup against the path tracer's own picture, as scenes/truth.py measured it. */
export type LitTemplate = {
  readonly name: string
  readonly psnrDb: number
  readonly deltaEMean: number
  readonly deltaEP95: number
}

/** The least PSNR in dB that the project promises for lit templates. */
export const LIT_BAR_DB = 44

/** What scenes/truth.py found last, by name. */
export async function readLitTemplates(root: string): Promise<readonly LitTemplate[]> {
  const found: unknown = JSON.parse(await readFile(path.join(root, 'scenes/fidelity.json'), 'utf8'))
  if (typeof found !== 'object' || found === null) throw new Error('Expected an object in scenes/fidelity.json.')
  return Object.entries(found)
    .map(([name, result]) => readResult(name, result))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function readResult(name: string, result: unknown): LitTemplate {
  const read = (field: string): number => {
    const value: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, field) : undefined
    if (typeof value !== 'number')
      throw new Error(`Expected a number for ${field} of ${name} but received ${String(value)}.`)
    return value
  }
  return { name, psnrDb: read('psnr_db'), deltaEMean: read('delta_e_mean'), deltaEP95: read('delta_e_p95') }
}
