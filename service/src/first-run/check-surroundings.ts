import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../errors/operator-error.ts'
import { readAuthorities } from '../rate-limits/redis-authorities.ts'
import type { Settings } from '../settings/load-settings.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

/** Why the service cannot start here, in one sentence for the operator. Nothing was created. */
export class UnfitSurroundingsError extends OperatorError {
  override readonly name = 'UnfitSurroundingsError'
}

/**
 * Checks the data folder, the object storage and the files named in settings before the start creates
 * anything. The start itself checks the port and the database.
 * @throws UnfitSurroundingsError, SettingsError
 */
export async function checkSurroundings(settings: Settings, storage: ObjectStorage): Promise<void> {
  checkFolder(path.resolve(settings.DATA_DIR))
  const { REDIS_CA_FILE, S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_CREDENTIALS } = settings
  if (REDIS_CA_FILE !== undefined) readAuthorities(REDIS_CA_FILE)
  if (S3_ENDPOINT === undefined) return
  await storage.list('templates/none/').catch((error: unknown) => {
    throw new UnfitSurroundingsError(
      `The object storage cannot be used with S3_ENDPOINT=${S3_ENDPOINT}, S3_BUCKET=${S3_BUCKET}, S3_REGION=${S3_REGION} and S3_CREDENTIALS=${S3_CREDENTIALS}: ${reasonOf(error)}.`,
      { cause: error },
    )
  })
}

/** The root cause, in one line: the errors around it say what it was needed for. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause !== undefined) return reasonOf(error.cause)
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return (error.message || code).replaceAll(/\s+/g, ' ').replace(/\.$/, '').slice(0, 300)
}

/**
 * The folder must be writable, or possible to create. Both are tried and undone, since permissions alone do
 * not tell. Only the first missing folder is created: recursive mkdir below /proc never returns. It is
 * synchronous, so that a signal that ends the start leaves nothing behind.
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
      `The data folder ${folder} cannot be used, because ${nearest} is not a folder: set DATA_DIR to another.`,
    )
  }
  try {
    if (missing === null) rmdirSync(mkdtempSync(path.join(folder, '.writable-')))
    else {
      mkdirSync(missing)
      rmdirSync(missing)
    }
  } catch (error) {
    const what = missing === null ? 'cannot be written to' : `cannot be created in ${nearest}`
    const remedy = 'give this user the right to, or set DATA_DIR to another'
    throw new UnfitSurroundingsError(`The data folder ${folder} ${what}: ${remedy}.`, { cause: error })
  }
}
