import { createHash } from 'node:crypto'
import { chmodSync, createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../errors/operator-error.ts'
import type { Settings } from '../settings/load-settings.ts'
import { ADDRESS_FILE } from '../settings/noted-address.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { OBJECTS_FOLDER } from '../storage/open-object-storage.ts'

/** Why no backup was made, in one sentence for the operator. Nothing is left behind. */
export class BackupRefusedError extends OperatorError {
  override readonly name = 'BackupRefusedError'
}

export type Backup = {
  readonly folder: string
  readonly objectCount: number
  /** Of the database and all objects. */
  readonly sizeBytes: number
  /** SHA-256 of the database's copy. */
  readonly databaseDigest: string
}

const DATABASE_FILE = 'vitrine.db'

/**
 * Copies the data into a new folder that can be used as DATA_DIR: a snapshot of the database, then all
 * objects. The service may be running: objects outlive their rows by an hour, except saved answers beyond
 * their limit. The folder appears when it is complete.
 *
 * @throws BackupRefusedError
 */
export async function backUp(settings: Settings, storage: ObjectStorage, toFolder: string): Promise<Backup> {
  if (settings.DATABASE_URL !== undefined) {
    throw new BackupRefusedError(
      'The database is in PostgreSQL: back it up with pg_dump, then the objects (docs/operate.md says how).',
    )
  }
  const folder = path.resolve(toFolder)
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new BackupRefusedError(`${folder} is not empty: name a folder that is not there yet.`)
  }
  await mkdir(path.dirname(folder), { recursive: true })
  const draft = await mkdtemp(`${folder}.unfinished-`)
  try {
    const database = path.join(draft, DATABASE_FILE)
    copyDatabase(path.join(settings.DATA_DIR, DATABASE_FILE), database)
    const objects = await copyObjects(storage, new DiskStorage(path.join(draft, OBJECTS_FOLDER)))
    await copyOtherFiles(settings.DATA_DIR, draft)
    const { digest, sizeBytes } = await digestOf(database)
    const backup = { folder, ...objects, sizeBytes: objects.sizeBytes + sizeBytes, databaseDigest: digest }
    const note = { made_at: new Date().toISOString(), objects: objects.objectCount, database_sha256: digest }
    await writeFile(path.join(draft, 'backup.json'), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
    await rename(draft, folder)
    return backup
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** A snapshot of the database in a separate file, while others may write. It is read back and verified. */
function copyDatabase(from: string, to: string): void {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
  try {
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
  chmodSync(to, 0o600)
  const copy = new DatabaseSync(to)
  try {
    const result = copy.prepare('PRAGMA integrity_check').get()?.['integrity_check']
    if (result !== 'ok') throw new BackupRefusedError(`The copy of the database is damaged: ${String(result)}.`)
  } finally {
    copy.close()
  }
}

async function copyObjects(
  from: ObjectStorage,
  to: ObjectStorage,
): Promise<{ objectCount: number; sizeBytes: number }> {
  let objectCount = 0
  let sizeBytes = 0
  for (const { key } of await from.list('')) {
    const object = await from.open(key)
    if (!object) continue // deleted since it was listed
    await to.put(key, object.content)
    objectCount++
    sizeBytes += object.sizeBytes
  }
  return { objectCount, sizeBytes }
}

/** The other files of the data folder, such as a generated secret. */
async function copyOtherFiles(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const isOurs = entry.name.startsWith(DATABASE_FILE) || entry.name.startsWith('instance.lock')
    // The address file belongs to the running server; no server runs on the copy.
    if (!entry.isFile() || isOurs || ['backup.json', ADDRESS_FILE].includes(entry.name)) continue
    await copyFile(path.join(from, entry.name), path.join(to, entry.name))
  }
}

async function digestOf(file: string): Promise<{ digest: string; sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { digest: hash.digest('hex'), sizeBytes }
}
