import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { isSystemFile } from '@vitrine/engine'
import { folder } from '../api-client/client.ts'
import { OperatorError } from '../errors/operator-error.ts'

/** What is read of a folder of designs, by the ending of its name. */
const pictureEndings = new Set(['.jpg', '.jpeg', '.png', '.webp', '.gif'])

/** Lies in the folder of the mockups, so that the same command goes on where it ended. */
export const JOURNAL_NAME = '.vitrine-batch.jsonl'

/** A picture below the folder of designs. */
export type FoundDesign = {
  /** Its path below the folder without the ending, with forward slashes. */
  readonly id: string
  /** Its path below the folder. */
  readonly file: string
}

export type FoundDesigns = {
  readonly designs: readonly FoundDesign[]
  /** Links to pictures and folders, which are not followed. */
  readonly linkCount: number
}

/**
 * The pictures of a folder and of the folders in it, by name. What systems leave there, hidden files and
 * mockups of this command are no designs.
 *
 * @throws {OperatorError} where there are none, or two would have one id
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

/** Where the mockups of a run would lie. */
type Places = {
  readonly root: string
  readonly designs: readonly FoundDesign[]
  readonly templates: readonly string[]
  readonly outputFolder: string
  readonly names: string
  readonly extension: string
}

/**
 * Refuses two mockups in one place, and mockups among the designs: the next run would take them for designs.
 *
 * @throws {OperatorError}
 * @throws {TypeError} where the pattern of names cannot be used
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

/** The real path of what may not be there yet. */
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
