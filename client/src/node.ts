import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { appendFile, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Rendered, Saver } from './bulk/bulk-types.ts'
import type { Journal, JournalEntry, Pair } from './bulk/journal.ts'
import type { Mockup } from './mockup.ts'

/** A picture on disk as artwork; its bytes are read while they are sent. */
export const fileArtwork = (file: string | URL): Promise<Blob> => openAsBlob(file)

/**
 * Writes a file beside its place, and then into it: who looks there sees the whole file, or none. A link in
 * its place is replaced, not followed.
 */
async function writeWhole(file: string, write: (beside: string) => Promise<void>): Promise<void> {
  const beside = `${file}.${randomUUID()}.part`
  try {
    await write(beside)
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** Writes a mockup to a file while it arrives. Folders are made; an older file is replaced at the end. */
export async function saveTo(mockup: Pick<Mockup, 'stream'>, file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeWhole(file, beside => pipeline(mockup.stream, createWriteStream(beside, { flags: 'wx' })))
}

/** Makes the folder of a file below `root`, where others may have put a link that leads out of it. */
async function makeFolderBelow(root: string, file: string): Promise<string> {
  await mkdir(root, { recursive: true })
  const real = await realpath(root)
  let folder = real
  for (const name of path.relative(root, path.dirname(file)).split(path.sep)) {
    if (name === '') continue
    const next = path.join(folder, name)
    await mkdir(next).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    folder = await realpath(next)
    if (!folder.startsWith(real.endsWith(path.sep) ? real : `${real}${path.sep}`))
      throw new Error(`Expected a folder below ${real} but a link leads to ${folder}.`)
  }
  return folder
}

/** A name without what some system does not allow in one, or reads as another folder. */
function fileName(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const name = text.replaceAll(/[\u0000-\u001f<>:"/\\|?*]/g, '_').replace(/[. ]+$/, '_')
  return name === '' ? '_' : name
}

/**
 * Keeps the mockups of a run below a folder.
 *
 * @param pattern the path of each: {design}, {template} and {ext} are put in
 */
export function folder(root: string, pattern = '{design}/{template}.{ext}'): Saver {
  const nameOf = ({ design, template, extension }: Pair & { readonly extension: string }) => {
    const parts: Readonly<Record<string, string>> = { design, template, ext: extension }
    return pattern.replaceAll(/\{(design|template|ext)\}/g, (_, part: string) => fileName(parts[part] ?? ''))
  }
  const save = async (rendered: Rendered) => {
    const file = path.join(root, nameOf(rendered))
    const place = path.join(await makeFolderBelow(root, file), path.basename(file))
    await writeWhole(place, beside => writeFile(beside, rendered.bytes, { flag: 'wx' }))
  }
  return { nameOf, save }
}

/** A journal in a file, a line for each entry. A line that a crash has cut is left out. */
export function fileJournal(file: string): Journal {
  const assertNoLink = async () => {
    const isLink = (await lstat(file).catch(() => null))?.isSymbolicLink() ?? false
    if (isLink) throw new Error(`Expected a file for the journal but ${file} is a link.`)
  }
  const append = async (text: string) => {
    await mkdir(path.dirname(file), { recursive: true })
    await assertNoLink()
    await appendFile(file, text)
  }
  return {
    async read() {
      await assertNoLink()
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw error
      })
      const whole = text.slice(0, text.lastIndexOf('\n') + 1)
      if (whole.length < text.length) await append('\n')
      return whole.split('\n').flatMap(parseEntry)
    },
    append: entry => append(`${JSON.stringify(entry)}\n`),
  }
}

function parseEntry(line: string): readonly JournalEntry[] {
  try {
    // What this file has written.
    return line === '' ? [] : [JSON.parse(line) as JournalEntry]
  } catch {
    return [] // was cut
  }
}
