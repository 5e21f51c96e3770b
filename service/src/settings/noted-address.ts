import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from './load-settings.ts'
import { publicUrlOf } from './public-url.ts'

/** Where the address is noted in the data folder. */
export const addressFile = 'address'

const fileOf = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>) => path.join(DATA_DIR, addressFile)

/**
 * Notes in the data folder where clients reach who serves it, until it is disposed: a command beside the server may not know its PORT
 * (0 is any) or PUBLIC_URL, and the links that it makes must lead there all the same.
 */
export async function noteAddress(settings: Settings): Promise<AsyncDisposable> {
  await writeFile(fileOf(settings), publicUrlOf(settings), { mode: 0o600 })
  return { [Symbol.asyncDispose]: () => rm(fileOf(settings), { force: true }) }
}

/** The settings of a command with the noted address, unless they name one themselves. */
export async function withNotedAddress(settings: Settings): Promise<Settings> {
  if (settings.PUBLIC_URL !== undefined) return settings
  const noted = await readNote(settings)
  return URL.canParse(noted) ? { ...settings, PUBLIC_URL: noted } : settings
}

async function readNote(settings: Settings): Promise<string> {
  try {
    return await readFile(fileOf(settings), 'utf8')
  } catch {
    return '' // nobody serves the folder
  }
}
