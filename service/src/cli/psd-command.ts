import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { limits } from '@vitrine/contract'
import { PART_NAME } from '@vitrine/engine/bundle'
import { OperatorError } from '../errors/operator-error.ts'
import { importPsdFile, PsdImportRefusedError } from '../psd-import/import-psd-file.ts'
import { BUNDLE_FOLDER } from '../psd-import/psd-files.ts'
import type { ImportedPsd, PsdRequest, PsdStep } from '../psd-import/psd-report.ts'
import type { CommandOutput, JsonValue } from './command-output.ts'

export type PsdOptions = {
  out?: string
  /** false: the bundle is written and not imported */
  import: boolean
  frame: string[]
  color: string[]
  matte: string
  width?: string
}

/** Imports a bundle. Resolves with the template's id and version, and sentences that report it. */
export type ImportBundle = (
  folder: string,
) => Promise<{ readonly templateId: string; readonly version: number; readonly sentences: readonly string[] }>

/** The exit code if a template was made but visibly or possibly differs from Photoshop's picture. */
const DOUBTFUL = 2

/** The minimum width of a template: narrower ones would be useless. */
const LEAST_WIDTH_PX = 16

/** Whether a folder has the files of a bundle made from a Photoshop file. */
const isImport = (names: readonly string[]): boolean => names.includes('import.json')

/** The most names listed in a message. */
const CHOICES_SHOWN = 20

/** Whether a path's extension is that of a Photoshop file. */
export function isPhotoshopName(file: string): boolean {
  return /\.ps[db]$/i.test(file)
}

/**
 * Makes a template from a Photoshop file, reports how well it matches Photoshop's picture, and imports it if
 * there is no doubt. If in doubt, or not to be imported, it is written to a folder.
 */
export async function importPsdCommand(
  file: string,
  options: PsdOptions,
  output: CommandOutput,
  importBundle: ImportBundle,
): Promise<void> {
  const name = path.basename(file).replace(/\.ps[db]$/i, '')
  const folder = path.resolve(options.out ?? name)
  const matte = readMatte(options.matte)
  const width = options.width === undefined ? {} : { widthPx: readWidth(options.width) }
  const colors = options.color.map(readColor)
  if (new Set(colors.map(color => color.name)).size < colors.length) {
    throw new OperatorError('Expected another name for each --color but received one twice.')
  }
  const isFile = (await stat(file).catch(() => null))?.isFile() ?? false
  if (!isFile) throw new OperatorError(`There is no file ${file}.`)
  if (options.out !== undefined || !options.import)
    await assertReplaceable(folder, isImport, 'import of a Photoshop file')
  const draft = await mkdtemp(path.join(tmpdir(), 'vitrine-psd-'))
  try {
    const request = { from: path.resolve(file), toFolder: draft, name, frames: options.frame, colors, matte, ...width }
    const imported = await importWithMaps(request, step => showProgress(`${step} ${path.basename(file)}`)).catch(
      (error: unknown) => {
        throw error instanceof PsdImportRefusedError ? withChoices(error) : error
      },
    )
    showProgress('')
    const bundle = path.join(draft, BUNDLE_FOLDER)
    const isSound = imported.report.result === 'verified' && imported.report.doubts.length === 0
    const template = options.import && isSound ? await importBundle(bundle) : null
    const isWritten = options.out !== undefined || template === null
    if (isWritten) {
      await assertReplaceable(folder, isImport, 'import of a Photoshop file')
      await writeFolder(bundle, folder)
    }
    if (!isSound) process.exitCode = DOUBTFUL
    finish(
      imported,
      { template, folder: isWritten ? folder : null, bytes: await sizeOf(bundle, imported.files) },
      output,
    )
    if (options.import && template === null) {
      output.warn(
        `Not imported, because it is in doubt. If it looks right: vitrine template import ${path.relative('.', folder) || '.'}`,
      )
    }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Imports a file with the displacement maps that it names, if they are in the same folder. */
async function importWithMaps(request: PsdRequest, onStep: (step: PsdStep) => void): Promise<ImportedPsd> {
  try {
    return await importPsdFile({ ...request, asksForMaps: true }, { onStep })
  } catch (error) {
    if (!(error instanceof PsdImportRefusedError) || error.maps.length === 0) throw error
    const folder = path.dirname(request.from)
    const beside = await readdir(folder)
    const maps = error.maps.slice(0, limits.psdMapsMax).flatMap(name => {
      const found = beside.find(each => each.toLowerCase() === name.toLowerCase() && isPhotoshopName(each))
      return found === undefined ? [] : [{ name, path: path.join(folder, found) }]
    })
    // Removes the output of the refused run.
    await rm(request.toFolder, { recursive: true })
    await mkdir(request.toFolder, { mode: 0o700 })
    return importPsdFile({ ...request, maps }, { onStep })
  }
}

/** Adds the option that resolves the refusal, and its possible values; a file may have hundreds. */
function withChoices(refusal: PsdImportRefusedError): PsdImportRefusedError {
  const { message, choices } = refusal
  if (choices.length === 0) return refusal
  const shown = choices.slice(0, CHOICES_SHOWN).map(name => `"${name.slice(0, 60)}"`)
  const rest = choices.length > CHOICES_SHOWN ? ` and ${choices.length - CHOICES_SHOWN} more` : ''
  return new PsdImportRefusedError(`${message} Name frames with --frame: ${shown.join(', ')}${rest}.`, { choices })
}

/** Replaces a folder by a bundle. */
export async function writeFolder(bundle: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.dirname(folder), { recursive: true })
  await cp(bundle, folder, { recursive: true })
}

/** Total size of a folder's files. */
export async function sizeOf(folder: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async each => (await stat(path.join(folder, each))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function finish(
  imported: ImportedPsd,
  made: {
    readonly template: Awaited<ReturnType<ImportBundle>> | null
    /** Where the bundle was written; null if it was only imported. */
    readonly folder: string | null
    readonly bytes: number
  },
  output: CommandOutput,
): void {
  const { template, folder, bytes } = made
  const sentences = [...imported.lines]
  if (folder !== null) {
    const shown = path.relative('.', folder) || '.'
    sentences.push(`Wrote ${shown}/ (${(bytes / 1e6).toFixed(1)} MB). Check: vitrine template check ${shown}`)
  }
  if (template !== null) sentences.push(...template.sentences)
  // Plain data, sent as JSON by the process that made it.
  const report = imported.report as unknown as { readonly [name: string]: JsonValue }
  output.finish(sentences, {
    ...report,
    template_id: template?.templateId ?? null,
    version: template?.version ?? null,
    out: folder,
    size_bytes: bytes,
  })
}

/** Checks that a folder does not exist, is empty, or contains earlier output, judging by its files. */
export async function assertReplaceable(
  folder: string,
  isMade: (names: readonly string[]) => boolean,
  what: string,
): Promise<void> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw new OperatorError(`${folder} is not a writable folder.`, { cause: error })
  })
  if (names.length === 0 || isMade(names)) return
  throw new OperatorError(`${folder} exists already and is no ${what}: name another with --out.`)
}

const colorForm = new RegExp(`^(${PART_NAME})=(.+)$`, 's')

/** A colour's name in the template, and its layer. */
function readColor(choice: string): { readonly name: string; readonly layer: string } {
  const [, name, layer] = colorForm.exec(choice) ?? []
  if (name !== undefined && layer !== undefined) return { name, layer }
  throw new OperatorError(
    `Expected a name of a-z, 0-9 and - and a layer for --color, like shirt="Shirt color", but received ${JSON.stringify(choice)}.`,
  )
}

function readWidth(width: string): number {
  const value = Number(width)
  if (/^\d+$/.test(width) && value >= LEAST_WIDTH_PX) return value
  throw new OperatorError(
    `Expected a whole number of pixels from ${LEAST_WIDTH_PX} for --width but received ${JSON.stringify(width)}.`,
  )
}

function readMatte(color: string): readonly [number, number, number] {
  if (!/^#[0-9a-f]{6}$/i.test(color)) {
    throw new OperatorError(`Expected a colour like "#ffffff" for --matte but received ${JSON.stringify(color)}.`)
  }
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** Updates one line on a terminal; does nothing elsewhere. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text === '' ? '' : `${text} …`}`)
}
