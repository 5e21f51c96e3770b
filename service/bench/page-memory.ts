/** Memory of the page that a browser of this process shows (Linux). */
import { readdir, readFile } from 'node:fs/promises'

type ProcessMemory = { readonly privateMib: number; readonly sharedMib: number }

/** `drawing`: of the process that draws for every page; null where it was not found. */
type PageMemory = { readonly page: ProcessMemory; readonly drawing: ProcessMemory | null }

/** Of the processes that a browser has, those that run pages: Chromium's and Firefox's. */
const pageProcess = /--type=renderer|-contentproc.*\btab\b/
const drawingProcess = /--type=gpu-process/

/**
 * Resident memory of the greatest page process below this one, its workers included: what it has for itself,
 * and pixels that it shares with the browser's other processes. Beside it Chromium's process that draws.
 */
export async function readPageMemory(): Promise<PageMemory> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const found = await Promise.all(ids.map(readProcess))
  const processes = new Map(found.flatMap(each => (each === null ? [] : [[each.id, each] as const])))
  const isOurs = (id: number): boolean => {
    const parent = processes.get(id)?.parent ?? 0
    return parent === process.pid || (parent > 1 && isOurs(parent))
  }
  const ours = [...processes.values()].filter(({ id }) => isOurs(id))
  const greatestOf = (kind: RegExp): ProcessMemory | null =>
    ours.filter(({ command }) => kind.test(command)).toSorted((a, b) => b.privateMib - a.privateMib)[0] ?? null
  const page = greatestOf(pageProcess)
  if (page === null) throw new Error('No process of a page was found.')
  return { page, drawing: greatestOf(drawingProcess) }
}

/** Null where it has ended meanwhile. */
async function readProcess(
  name: string,
): Promise<(ProcessMemory & { id: number; parent: number; command: string }) | null> {
  try {
    const status = await readFile(`/proc/${name}/status`, 'utf8')
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8')
    const numberOf = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return {
      id: Number(name),
      parent: numberOf('PPid'),
      command: command.replaceAll('\0', ' '),
      privateMib: numberOf('RssAnon') / 1024,
      sharedMib: numberOf('RssShmem') / 1024,
    }
  } catch {
    return null
  }
}
