import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The file in the data folder with a generated secret. */
export const AUTH_SECRET_FILE = 'auth-secret'

/**
 * The secret that signs sessions and links: the setting, or one that is generated once and stored in the data
 * folder. Of several processes that start concurrently, the first to link its file decides.
 */
export async function loadAuthSecret({
  setting,
  dataDir,
}: {
  readonly setting: string | undefined
  readonly dataDir: string
}): Promise<string> {
  if (setting !== undefined) return setting
  const file = path.join(dataDir, AUTH_SECRET_FILE)
  const stored = await readSecret(file)
  if (stored !== null) return stored
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

async function readSecret(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
