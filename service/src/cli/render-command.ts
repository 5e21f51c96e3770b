import { randomUUID } from 'node:crypto'
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { defaults, isOutputFormat, labelFormats, limits, type OutputFormat, outputFormatNames } from '@vitrine/contract'
import { type BundleFiles, openBundleZip } from '@vitrine/engine'
import { openBundleFolder } from '@vitrine/engine/node'
import type { Command } from 'commander'
import { formatOfName, hasForeignEnding } from '../api-client/client.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { starterPackFolder } from '../first-run/starter-pack.ts'
import { proposePlacements, renderHere } from '../local-render/render-here.ts'
import { describeArtwork } from '../mockups/describe-artwork.ts'
import { readProcessSettings } from '../settings/process-environment.ts'
import { addColorOption, type ColorOptions, readColors } from './color-options.ts'
import type { CommandOutput } from './command-output.ts'
import { hasData, OperatorData } from './operator-data.ts'
import { parseWhole } from './parse-options.ts'
import { addPlacementOptions, hasPlacement, type PlacementOptions, readPlacements } from './placement-options.ts'

const formatNames = outputFormatNames.join(' or ')

type Options = {
  output: string
  width: number
  format?: string
  quality: number
  account?: string
} & PlacementOptions &
  ColorOptions

export function renderCommand(program: Command, output: CommandOutput): void {
  const command = program
    .command('render')
    .description(
      'render one mockup here and now, without a server and without credits; a logo on a product is shown whole unless a placement says more',
    )
    .argument('<template>', 'id of a template, or folder or zip of a bundle')
    .argument(
      '<artwork...>',
      'one picture for all frames, or one for each frame in order; frames of one slot may share theirs',
    )
    .requiredOption('-o, --output <file>', 'file for the mockup')
    .option(
      '--width <pixels>',
      'width of the mockup',
      parseWhole('a whole width in pixels', limits.widthPxMin, limits.widthPxMax),
      defaults.width,
    )
    .option('--format <format>', `${formatNames}; without it as the name of the file ends, else ${defaults.format}`)
    .option(
      '--quality <number>',
      `of a ${labelFormats({ hasQuality: true })}`,
      parseWhole('a whole quality', limits.qualityMin, limits.qualityMax),
      defaults.quality,
    )
    .option('--account <email>', 'whose template; without it the shared one, or the only one with this id')
  addColorOption(addPlacementOptions(command)).action(
    async (template: string, artworks: string[], options: Options) => {
      const startedMs = performance.now()
      const progress = new Progress()
      const format = chooseFormat(options)
      await assertNoInput(options.output, [template, ...artworks])
      progress.say(`reading ${template}`)
      const files = await openTemplate(template, options.account)
      const { width: widthPx, quality } = options
      const mockup = await renderHere(files, {
        artworks,
        placements: (parsed, pictures) =>
          hasPlacement(options) ? readPlacements(options, parsed) : proposePlacements(parsed, pictures),
        colors: parsed => readColors(options, parsed),
        output: { format, quality, widthPx },
        onProgress: what => progress.say(what),
      })
      await replaceFile(options.output, mockup.bytes)
      const durationMs = Math.round(performance.now() - startedMs)
      progress.end(
        `${options.output}: ${mockup.widthPx} x ${mockup.heightPx} px, ${mockup.bytes.byteLength} bytes, ${durationMs} ms`,
      )
      output.finish([], {
        output: options.output,
        template_id: mockup.templateId,
        format,
        width: mockup.widthPx,
        height: mockup.heightPx,
        size_bytes: mockup.bytes.byteLength,
        duration_ms: durationMs,
        artwork: describeArtwork(mockup.artworks),
      })
    },
  )
}

/** Progress in one line on a terminal; nothing elsewhere. */
class Progress {
  readonly #isShown = process.stderr.isTTY

  say(what: string): void {
    if (this.#isShown) process.stderr.write(`\r\x1b[K${what} …`)
  }

  end(what: string): void {
    if (this.#isShown) process.stderr.write(`\r\x1b[K${what}\n`)
  }
}

function chooseFormat({ format, output }: Options): OutputFormat {
  if (format !== undefined && !isOutputFormat(format))
    throw new OperatorError(`Expected ${formatNames} for --format but received ${JSON.stringify(format)}.`)
  const named = formatOfName(output)
  if (named !== null || !hasForeignEnding(output)) return format ?? named ?? defaults.format
  throw new OperatorError(
    `Expected a name that ends with .jpg or .png for --output but received ${JSON.stringify(output)}.`,
  )
}

/** Checks that the mockup does not overwrite an input, which would be the next run's artwork. */
async function assertNoInput(output: string, inputs: readonly string[]): Promise<void> {
  const place = await realpath(output).catch(() => null)
  for (const input of inputs) {
    if (place !== null && (await realpath(input).catch(() => null)) === place)
      throw new OperatorError(`Expected another file than ${input} for --output: it is read.`)
  }
}

/** Opens a bundle by its path, else a template in the service's data, else one of the starter pack. */
async function openTemplate(name: string, account: string | undefined): Promise<BundleFiles> {
  const status = await stat(name).catch(() => null)
  if (status?.isDirectory()) return openBundleFolder(name)
  if (status?.isFile()) return openBundleZip(await readFile(name))
  if (!/^[a-z0-9-]{2,64}$/.test(name)) throw new OperatorError(`There is no bundle ${name}.`)
  const settings = readProcessSettings()
  if (hasData(settings)) {
    await using data = await OperatorData.open()
    const record = await data.templateOf(name, account)
    if (record) return await openBundleFolder((await data.templates.localBundle(record)).folder)
  }
  const shipped = path.join(starterPackFolder, name)
  if (await stat(path.join(shipped, 'template.json')).catch(() => null)) return openBundleFolder(shipped)
  throw new OperatorError(`There is no template ${name}: "vitrine template list" shows all.`)
}

/** Replaces a file, or a link to one, atomically. This does not work for a device or pipe. */
async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  const draft = path.join(path.dirname(file), `.${randomUUID()}`)
  try {
    const present = await stat(file).catch(() => null)
    if (present?.isFile() === false) throw new Error('it is not a file')
    await writeFile(draft, bytes, { flag: 'wx' })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`The mockup cannot be written to ${file}: ${reason}.`, { cause: error })
  }
}
