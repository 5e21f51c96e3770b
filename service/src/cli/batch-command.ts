import path from 'node:path'
import { defaults, limits, type OutputFormat, outputFormatNames, outputFormats } from '@vitrine/contract'
import { counted } from '@vitrine/engine/counted'
import { type Command, Option } from 'commander'
import { plan, renderAll } from '../api-client/bulk.ts'
import { fileJournal, folder, isVitrineError, type Vitrine } from '../api-client/client.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { type BatchTemplates, buildDesigns } from './batch-designs.ts'
import { BatchProgress } from './batch-progress.ts'
import type { CommandOutput } from './command-output.ts'
import { assertOwnPlaces, findDesigns, JOURNAL_NAME } from './find-designs.ts'
import { parseList, parseWhole } from './parse-options.ts'
import { addServiceOption, openVitrine, type ServiceOptions } from './service-option.ts'

/** Failures listed individually; `--json` has all of them. */
const SHOWN_FAILURES_MAX = 20

type Options = ServiceOptions & {
  readonly templates: readonly string[]
  readonly out: string
  readonly names: string
  readonly width: number
  readonly format: OutputFormat
  readonly quality: number
  readonly placement?: object
  readonly colors?: object
  readonly concurrency: number
  readonly maxCredits?: number
  readonly dryRun?: true
}

export function batchCommand(program: Command, output: CommandOutput): void {
  const command = program
    .command('batch')
    .description(
      'make mockups of all pictures of a folder in all templates, with a service; a repeated command continues',
    )
    .argument('<designs>', 'folder of JPEG, PNG, WebP and GIF files, folders in it included')
    .requiredOption('--templates <ids>', 'ids between commas, or "all"', parseList(String))
    .requiredOption('-o, --out <folder>', 'folder for the mockups')
    .option('--names <pattern>', 'the path of each mockup below the folder', '{design}/{template}.{ext}')
    .option(
      '--width <pixels>',
      'width of the mockups',
      parseWhole('a whole width in pixels', limits.widthPxMin, limits.widthPxMax),
      defaults.width,
    )
    .addOption(new Option('--format <format>').choices([...outputFormatNames]).default(defaults.format))
    .option(
      '--quality <number>',
      'of JPEG',
      parseWhole('a whole quality', limits.qualityMin, limits.qualityMax),
      defaults.quality,
    )
    .option(
      '--placement <json>',
      'where the artwork is placed, as in a request: {"fit": "contain"}; without it logos are shown whole on products',
      parseObject,
    )
    .option('--colors <json>', 'colours of the product, as in a request: {"shirt": "#1f2a44"}', parseObject)
    .option('--concurrency <number>', 'requests at a time', parseWhole('a whole number', 1, 64), 4)
    .option('--max-credits <number>', 'stop before this run uses more', parseWhole('a whole number', 1, 1_000_000_000))
    .option('--dry-run', 'show what it would take, and make nothing')
  addServiceOption(command).action(async (designsFolder: string, options: Options) => {
    const vitrine = openVitrine(options)
    const { designs, linkCount } = await findDesigns(designsFolder, options.out)
    const templates = await findTemplates(options, vitrine)
    await assertOwnPlaces({
      root: designsFolder,
      designs,
      templates: templates.ids,
      outputFolder: options.out,
      names: options.names,
      extension: outputFormats[options.format].extension,
    }).catch(explainRun)
    const run = {
      designs: buildDesigns(designsFolder, designs, templates),
      output: outputOf(options),
      save: folder(options.out, options.names),
      journal: fileJournal(path.join(options.out, JOURNAL_NAME)),
      concurrency: options.concurrency,
      maxCredits: options.maxCredits,
    }
    const { mockups, requests, creditsAvailable } = await plan(vitrine, run).catch(explainRun)
    const total = designs.length * templates.ids.length
    const sentence = `${counted(designs.length, 'design')} in ${counted(templates.ids.length, 'template')}: ${counted(total, 'mockup')}, ${total - mockups} of them done; ${counted(mockups, 'credit')} of ${creditsAvailable}, ${counted(requests, 'request')}`
    const progress = new BatchProgress()
    if (linkCount > 0) progress.say(`left out ${counted(linkCount, 'link')}: links are not followed`)
    if (options.dryRun === true) {
      output.finish([sentence], { total, left: mockups, requests, credits_available: creditsAvailable })
      return
    }
    progress.say(sentence)
    const { signal, stop } = abortOnSignal()
    const summary = await renderAll(vitrine, { ...run, signal, onProgress: state => progress.show(state) })
      .catch(explainRun)
      .finally(stop)
    progress.end()
    const { done, failed, creditsUsed, creditsRemaining, stopped } = summary
    const failures = summary.failures.map(({ design, template, error }) => ({ design, template, ...describe(error) }))
    output.finish(
      [`${done} of ${counted(summary.total, 'mockup')} in ${options.out}; ${counted(creditsUsed, 'credit')} used`],
      {
        total: summary.total,
        done,
        failed,
        credits_used: creditsUsed,
        credits_remaining: creditsRemaining,
        failures,
        stopped: stopped === null ? null : stopped === 'max-credits' ? stopped : describe(stopped).error,
      },
    )
    for (const { design, template, error } of failures.slice(0, SHOWN_FAILURES_MAX))
      progress.say(`${design} in ${template}: ${error}`)
    if (failures.length > SHOWN_FAILURES_MAX) progress.say(`and ${failures.length - SHOWN_FAILURES_MAX} more`)
    if (stopped !== null)
      progress.say(
        `stopped: ${stopped === 'max-credits' ? 'the next request would use more than --max-credits' : stopped.message} Repeat the command to continue.`,
      )
    if (failed > 0 || stopped !== null) process.exitCode = 1
  })
}

/** Finds the requested templates, and which of them are products, if no placement was given. */
async function findTemplates({ templates: given, placement }: Options, vitrine: Vitrine): Promise<BatchTemplates> {
  const isAll = given.length === 1 && given[0] === 'all'
  const products = new Set<string>()
  if (!isAll && placement !== undefined) return { ids: given, products }
  const ids: string[] = []
  try {
    for await (const { id, is_product_template: isProduct } of vitrine.templates()) {
      ids.push(id)
      if (isProduct && placement === undefined) products.add(id)
    }
  } catch (error) {
    explainRun(error)
  }
  return { ids: isAll ? ids : given, products }
}

/** Only the given options: they are recorded in the journal, and defaults may change. */
function outputOf({ width, format, quality, placement, colors }: Options) {
  return {
    width,
    format,
    ...(format === 'jpeg' ? { quality } : {}),
    ...(placement === undefined ? {} : { placement }),
    // Validated by the service, like every field of a request.
    ...(colors === undefined ? {} : { colors: colors as Readonly<Record<string, string>> }),
  }
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Rejected below, like any other text.
  }
  throw new OperatorError(`Expected a JSON object but received ${JSON.stringify(text.slice(0, 100))}.`)
}

/** Ctrl-C ends the run; what is done stays in the journal. */
function abortOnSignal() {
  const controller = new AbortController()
  const abort = () =>
    controller.abort(new OperatorError('The run was ended. What is done is saved: repeat the command to continue.'))
  process.once('SIGINT', abort).once('SIGTERM', abort)
  return {
    signal: controller.signal,
    stop: () => void process.off('SIGINT', abort).off('SIGTERM', abort),
  }
}

/** An error that would affect the whole run, as a sentence. */
function explainRun(error: unknown): never {
  if (isVitrineError(error)) throw new OperatorError(describe(error).error, { cause: error })
  // Two mockups with the same name, or a journal of other pictures.
  if (error instanceof TypeError) throw new OperatorError(error.message, { cause: error })
  throw error
}

function describe(error: unknown): { readonly error: string; readonly code: string | null } {
  if (isVitrineError(error)) return { error: [error.message, error.hint].filter(Boolean).join(' '), code: error.code }
  return { error: error instanceof Error ? error.message : String(error), code: null }
}
