import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../settings/load-settings.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

/** Why the service cannot start here, in one sentence for the operator. Nothing was made. */
export class UnfitSurroundingsError extends Error {
  override readonly name = 'UnfitSurroundingsError'
}

/**
 * Checks the data folder and the object storage before the start makes anything. The start itself checks the
 * port and the database.
 * @throws UnfitSurroundingsError
 */
export async function checkSurroundings(settings: Settings, storage: ObjectStorage): Promise<void> {
  checkFolder(path.resolve(settings.DATA_DIR))
  if (settings.S3_ENDPOINT === undefined) return
  await storage.get('templates/none').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnfitSurroundingsError(`The object storage at ${settings.S3_ENDPOINT} cannot be used: ${reason}.`, {
      cause: error,
    })
  })
}

/**
 * The folder must be writable, or possible to make. Both are tried and undone: permissions do not tell. Of
 * missing folders only the first is made: recursive mkdir below /proc never returns. In one turn of the event
 * loop: a signal that ends the start comes before or after it, and nothing is left behind.
 */
function checkFolder(folder: string): void {
  let missing: string | null = null
  let nearest = folder
  while (!existsSync(nearest) && path.dirname(nearest) !== nearest) {
    missing = nearest
    nearest = path.dirname(nearest)
  }
  if (!statSync(nearest).isDirectory()) {
    throw new UnfitSurroundingsError(
      `The data folder ${folder} cannot be used, because ${nearest} is no folder: set DATA_DIR to another.`,
    )
  }
  try {
    if (missing === null) rmdirSync(mkdtempSync(path.join(folder, '.writable-')))
    else {
      mkdirSync(missing)
      rmdirSync(missing)
    }
  } catch (error) {
    const what = missing === null ? 'cannot be written to' : `cannot be made in ${nearest}`
    const remedy = 'give this user the right to, or set DATA_DIR to another'
    throw new UnfitSurroundingsError(`The data folder ${folder} ${what}: ${remedy}.`, { cause: error })
  }
}
