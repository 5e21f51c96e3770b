import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from './load-settings.ts'
import { publicUrlOf } from './public-url.ts'

/** The file of the data folder that holds the address. */
export const ADDRESS_FILE = 'address'

const fileOf = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>) => path.join(DATA_DIR, ADDRESS_FILE)

/**
 * Writes the server's address into the data folder, until it is disposed. A command beside the server makes
 * links to it and may not know its PORT (0 is any) or PUBLIC_URL.
 */
export async function noteAddress(settings: Settings): Promise<AsyncDisposable> {
  await writeFile(fileOf(settings), publicUrlOf(settings), { mode: 0o600 })
  return { [Symbol.asyncDispose]: () => rm(fileOf(settings), { force: true }) }
}

/** The settings of a command with the server's address, unless they name one themselves. */
export async function withNotedAddress(settings: Settings): Promise<Settings> {
  if (settings.PUBLIC_URL !== undefined) return settings
  // Without the file no server runs on the folder.
  const noted = await readFile(fileOf(settings), 'utf8').catch(() => '')
  return URL.canParse(noted) ? { ...settings, PUBLIC_URL: noted } : settings
}
