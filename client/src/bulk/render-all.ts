import type { Vitrine } from '../vitrine.ts'
import type { Plan, RenderAllOptions, Summary } from './bulk-types.ts'
import { nameOf, type Pair, Past } from './journal.ts'
import { Run } from './run.ts'
import { buildTasks, extensionOf, type Work } from './tasks.ts'

/**
 * Renders every design in every template, twelve templates per request, and saves the pictures. Failed
 * mockups are reported in the summary and the run continues; an error that affects all mockups stops it.
 *
 * @throws {TypeError} before the first request, if two mockups would have the same name, or the journal
 * belongs
 *   to a run with other pictures
 * @throws the reason of the signal, or an error thrown by `journal`
 */
export async function renderAll(vitrine: Vitrine, options: RenderAllOptions): Promise<Summary> {
  const { past, works, done } = await prepare(options)
  if (past.output === null) await options.journal?.append({ type: 'run', output: outputOf(options) })
  return new Run(vitrine, options, past, works, done).finish()
}

/**
 * What `renderAll` with the same options would require, without rendering anything.
 *
 * @throws {TypeError} as `renderAll`
 * @throws {VitrineError} if the balance cannot be read
 */
export async function plan(vitrine: Vitrine, options: RenderAllOptions): Promise<Plan> {
  const { works } = await prepare(options)
  const { balance_credits: creditsAvailable } = await vitrine.balance({ signal: options.signal })
  return {
    mockups: works.reduce((sum, { left }) => sum + left, 0),
    requests: works.reduce((sum, { tasks }) => sum + tasks.length, 0),
    creditsAvailable,
  }
}

const outputOf = ({ output = {} }: RenderAllOptions): string => JSON.stringify(output)

/** Reads the designs and the journal, but no artwork. */
async function prepare(options: RenderAllOptions) {
  const past = new Past((await options.journal?.read()) ?? [])
  if (past.output !== null && past.output !== outputOf(options))
    throw new TypeError(`Expected the output of the journal, ${past.output}, but received ${outputOf(options)}`)
  const works: Work[] = []
  const names = new Map<string, Pair>()
  let done = 0
  for await (const design of options.designs) {
    const templates = design.templates ?? options.templates ?? []
    for (const template of templates) claimName(names, { design: design.id, template }, options)
    const left = templates.filter(template => !past.isDone({ design: design.id, template }))
    done += templates.length - left.length
    if (left.length > 0) works.push({ design, tasks: buildTasks(design.id, left, past), left: left.length })
  }
  return { past, works, done }
}

/** Checks that mockups have unique ids, and unique file names even on case-insensitive file systems. */
function claimName(names: Map<string, Pair>, pair: Pair, { save, output }: RenderAllOptions): void {
  const file = save.nameOf({ ...pair, extension: extensionOf(output?.format) })
  for (const name of [nameOf(pair), `file ${file.toLowerCase()}`]) {
    const other = names.get(name)
    if (other !== undefined) {
      const both = [other, pair].map(each => `${JSON.stringify(each.design)} in ${each.template}`).join(' and of ')
      throw new TypeError(`Expected a name of its own for every mockup but ${file} comes twice: of ${both}`)
    }
    names.set(name, pair)
  }
}
