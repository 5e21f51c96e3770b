import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { appendFile, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Rendered, Saver } from './bulk/bulk-types.ts'
import type { Journal, JournalEntry, Pair } from './bulk/journal.ts'
import { extensions } from './endings.ts'
import { formatOfName, hasForeignEnding } from './file-endings.ts'
import type { Mockup } from './mockup.ts'

/** A picture on disk as artwork; its bytes are read when they are sent. */
export const fileArtwork = (file: string | URL): Promise<Blob> => openAsBlob(file)

/** Writes a file atomically, by way of a temporary file. A link at its path is replaced, not followed. */
async function writeWhole(file: string, write: (beside: string) => Promise<void>): Promise<void> {
  // Its length does not depend on the name's.
  const beside = path.join(path.dirname(file), `.${randomUUID()}.part`)
  try {
    await write(beside)
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Writes a mockup to a file as it arrives. Creates folders; an existing file is replaced at the end. */
export async function saveTo(mockup: Pick<Mockup, 'stream'>, file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeWhole(file, beside => pipeline(mockup.stream, createWriteStream(beside, { flags: 'wx' })))
}

/** Creates the folder of a file below `root`, without following links that lead out of it. */
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

/** Replaces what some system does not allow in a file name, or would treat as a folder. */
function fileName(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const name = text.replaceAll(/[\u0000-\u001f<>:"/\\|?*]/g, '_').replace(/[. ]+$/, '_')
  return name === '' ? '_' : name
}

/** The maximum length of a file name, in bytes of UTF-8. */
const NAME_BYTES_MAX = 255
/** A longer extension is not treated as one. */
const ENDING_CHARACTERS_MAX = 16
const DIGEST_CHARACTERS = 12

/** Truncates a name that is too long. A digest of the whole name keeps it unique. */
function fitName(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name
  const ending = path.extname(name)
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_CHARACTERS)
  const end = `~${digest}${ending.length > ENDING_CHARACTERS_MAX ? '' : ending}`
  const start = Buffer.from(name).subarray(0, NAME_BYTES_MAX - Buffer.byteLength(end))
  // In stream mode the bytes of a truncated character are dropped.
  return `${new TextDecoder().decode(start, { stream: true })}${end}`
}

/**
 * Saves the mockups of a run below a folder. Names that are too long for a file system are truncated.
 *
 * @param pattern the path of each: {design}, {template} and {ext} are replaced
 * @throws {TypeError} if the pattern leads out of the folder; in `nameOf`, if it has another format's
 * extension
 */
export function folder(root: string, pattern = '{design}/{template}.{ext}'): Saver {
  const names = pattern.split('/')
  if (names.some(name => ['', '.', '..'].includes(name)) || (path.sep === '\\' && pattern.includes(path.sep)))
    throw new TypeError(
      `Expected a path below the folder as the names of mockups but received ${JSON.stringify(pattern)}`,
    )
  const nameOf = ({ design, template, extension }: Pair & { readonly extension: string }) => {
    const named = formatOfName(pattern)
    if (hasForeignEnding(pattern) || (named !== null && extensions[named] !== extension))
      throw new TypeError(
        `Expected .{ext} or .${extension} at the end of the names of mockups but received ${path.extname(pattern)}`,
      )
    const parts: Readonly<Record<string, string>> = { design, template, ext: extension }
    const put = (name: string) =>
      name.replaceAll(/\{(design|template|ext)\}/g, (_, part: string) => fileName(parts[part] ?? ''))
    return names.map(name => fitName(put(name))).join('/')
  }
  const save = async (rendered: Rendered) => {
    const file = path.join(root, nameOf(rendered))
    const place = path.join(await makeFolderBelow(root, file), path.basename(file))
    await writeWhole(place, beside => writeFile(beside, rendered.bytes, { flag: 'wx' }))
  }
  return { nameOf, save }
}

/** A journal in a file, with a line for each entry. A line truncated by a crash is ignored. */
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
    // Written by this function.
    return line === '' ? [] : [JSON.parse(line) as JournalEntry]
  } catch {
    return [] // truncated
  }
}
