import { constants, existsSync, statSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Settings } from '../settings/load-settings.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

/** Why the service cannot start here, in one sentence for the operator. Nothing was made. */
export class UnfitSurroundings extends Error {
  override name = 'UnfitSurroundings'
}

/**
 * Looks at everything that a start needs and that can be missing, before the start makes anything: the port, the data folder, the
 * object storage. What is taken between the look and the start is noticed then.
 * @throws UnfitSurroundings
 */
export async function checkSurroundings(settings: Settings, storage: ObjectStorage): Promise<void> {
  await checkPort(settings.HOST, settings.PORT)
  await checkFolder(path.resolve(settings.DATA_DIR))
  if (settings.S3_ENDPOINT === undefined) return
  await storage.get('templates/none').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnfitSurroundings(`The object storage at ${settings.S3_ENDPOINT} cannot be used: ${reason}.`, {
      cause: error,
    })
  })
}

/** The sentence for an address that cannot be listened on. */
export function describeListenFailure(host: string, port: number, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken: stop the program that listens on it, or set PORT to another.`
  }
  if (code === 'EACCES') return `Port ${port} is not allowed to this user: set PORT to one above 1023.`
  return `HOST ${host} is no address to listen on here (${code}).`
}

function checkPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', error => {
      reject(new UnfitSurroundings(describeListenFailure(host, port, error), { cause: error }))
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })
}

/** The folder, or the nearest one above it that is there and in which it will be made, must take new files. */
async function checkFolder(folder: string): Promise<void> {
  let nearest = folder
  while (!existsSync(nearest) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest)
  const which =
    nearest === folder ? `The data folder ${folder}` : `The data folder ${folder} cannot be made: ${nearest}`
  if (!statSync(nearest).isDirectory())
    throw new UnfitSurroundings(`${which} is not a folder: set DATA_DIR to another.`)
  await access(nearest, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw new UnfitSurroundings(`${which} is not writable: give this user the right to, or set DATA_DIR to another.`, {
      cause: error,
    })
  })
}
