import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from './load-settings.ts'
import { publicUrlOf } from './public-url.ts'

/** The file in the data folder that contains the address. */
export const ADDRESS_FILE = 'address'

const fileOf = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>) => path.join(DATA_DIR, ADDRESS_FILE)

/**
 * Writes the server's address to the data folder, until disposed of. A command makes links to the server but
 * may not know its PORT (0 is any) or PUBLIC_URL.
 */
export async function noteAddress(settings: Settings): Promise<AsyncDisposable> {
  await writeFile(fileOf(settings), publicUrlOf(settings), { mode: 0o600 })
  return { [Symbol.asyncDispose]: () => rm(fileOf(settings), { force: true }) }
}

/** A command's settings with the server's address, unless they set one themselves. */
export async function withNotedAddress(settings: Settings): Promise<Settings> {
  if (settings.PUBLIC_URL !== undefined) return settings
  // Without the file no server is using the folder.
  const noted = await readFile(fileOf(settings), 'utf8').catch(() => '')
  return URL.canParse(noted) ? { ...settings, PUBLIC_URL: noted } : settings
}
