import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { isSystemFile } from '@vitrine/engine'
import { folder } from '../api-client/client.ts'
import { OperatorError } from '../errors/operator-error.ts'

/** The file extensions of designs. */
const pictureEndings = new Set(['.jpg', '.jpeg', '.png', '.webp', '.gif'])

/** The journal in the folder of mockups, so that a repeated command continues where it ended. */
export const JOURNAL_NAME = '.vitrine-batch.jsonl'

/** A picture below the folder of designs. */
export type FoundDesign = {
  /** Its path below the folder without the extension, with forward slashes. */
  readonly id: string
  /** Its path below the folder. */
  readonly file: string
}

export type FoundDesigns = {
  readonly designs: readonly FoundDesign[]
  /** The number of links to pictures and folders, which are not followed. */
  readonly linkCount: number
}

/**
 * Finds the pictures in a folder and its subfolders, sorted by name. Skips system files, hidden files and
 * this command's own mockups.
 *
 * @throws {OperatorError} if there are none, or two would have the same id
 */
export async function findDesigns(root: string, outputFolder: string): Promise<FoundDesigns> {
  const files: string[] = []
  const outputPlace = await realpath(outputFolder).catch(() => null)
  let linkCount = 0
  const collect = async (below: string) => {
    const place = path.join(root, below)
    const entries = await readdir(place, { withFileTypes: true }).catch((error: unknown) => {
      throw new OperatorError(`The folder ${place} cannot be read.`, { cause: error })
    })
    if (entries.some(entry => entry.name === JOURNAL_NAME)) {
      if (below !== '') return
      throw new OperatorError(`Expected designs in ${root} but it has the mockups of an earlier run.`)
    }
    for (const entry of entries) {
      const file = path.join(below, entry.name)
      if (entry.name.startsWith('.') || isSystemFile(entry.name)) continue
      const isPicture = pictureEndings.has(path.extname(entry.name).toLowerCase())
      if (entry.isSymbolicLink()) linkCount += isPicture || (await isFolder(path.join(root, file))) ? 1 : 0
      else if (entry.isFile() && isPicture) files.push(file)
      else if (entry.isDirectory() && (await realpath(path.join(root, file))) !== outputPlace) await collect(file)
    }
  }
  await collect('')
  if (files.length === 0) throw new OperatorError(`There is no JPEG, PNG, WebP or GIF in ${root}.`)
  const designs = files.toSorted().map(file => ({
    id: file.slice(0, -path.extname(file).length).split(path.sep).join('/'),
    file,
  }))
  const seen = new Map<string, string>()
  for (const { id, file } of designs) {
    const other = seen.get(id)
    if (other !== undefined)
      throw new OperatorError(
        `Expected a name of its own for every design but ${other} and ${file} have one: rename one.`,
      )
    seen.set(id, file)
  }
  return { designs, linkCount }
}

const isFolder = async (file: string): Promise<boolean> => (await stat(file).catch(() => null))?.isDirectory() ?? false

/** Where the mockups of a run would be written. */
type Places = {
  readonly root: string
  readonly designs: readonly FoundDesign[]
  readonly templates: readonly string[]
  readonly outputFolder: string
  readonly names: string
  readonly extension: string
}

/**
 * Rejects two mockups with the same path, and mockups among the designs, which the next run would take for
 * designs.
 *
 * @throws {OperatorError}
 * @throws {TypeError} if the name pattern is invalid
 */
export async function assertOwnPlaces({ root, designs, templates, outputFolder, names, extension }: Places) {
  const { nameOf } = folder(outputFolder, names)
  const input = await realpath(root)
  const output = await findRealPlace(outputFolder)
  const isOutputApart = isBelow(input, output)
  const seen = new Map<string, string>()
  for (const { id, file } of designs) {
    for (const template of templates) {
      const name = nameOf({ design: id, template, extension })
      const other = seen.get(name.toLowerCase())
      const both = other === file ? `${file} in several templates` : `${other} and of ${file}`
      if (other !== undefined)
        throw new OperatorError(
          `Expected a name of its own for every mockup but ${name} would be that of ${both}: ${adviceFor(names, other === file)}.`,
        )
      seen.set(name.toLowerCase(), file)
      if (!isOutputApart && isBelow(input, path.join(output, name)))
        throw new OperatorError(
          `Expected mockups outside of the designs but ${path.join(outputFolder, name)} would be among them: choose another folder for --out.`,
        )
    }
  }
}

function adviceFor(names: string, isOneDesign: boolean): string {
  const missing = isOneDesign ? '{template}' : '{design}'
  return names.includes(missing) ? 'rename one of them' : `put ${missing} into --names`
}

/** The real path of something that may not exist yet. */
async function findRealPlace(place: string): Promise<string> {
  const absolute = path.resolve(place)
  const parent = path.dirname(absolute)
  const real = await realpath(absolute).catch(() => null)
  if (real !== null || parent === absolute) return real ?? absolute
  return path.join(await findRealPlace(parent), path.basename(absolute))
}

function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}
