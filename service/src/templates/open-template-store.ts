import path from 'node:path'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { Settings } from '../settings/load-settings.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { LEAST_FREE_BYTES } from './limits.ts'
import { PreparedFiles } from './prepared-files.ts'
import { TemplateStore } from './template-store.ts'

/** The artwork that ships: in thumbnails, and in the first command that a newcomer pastes. */
export const sampleArtworkFile = path.resolve(import.meta.dirname, '../../assets/sample-artwork.jpg')

/** The templates of this service, as its settings place them. */
export function openTemplateStore(
  settings: Settings,
  database: Database,
  storage: ObjectStorage,
  clock: Clock = Date.now,
): TemplateStore {
  return new TemplateStore({
    database,
    storage,
    cacheFolder: path.resolve(settings.DATA_DIR, 'cache/templates'),
    cacheBytes: settings.TEMPLATE_CACHE_MIB * 1024 * 1024,
    previewFolder: path.resolve(settings.DATA_DIR, 'cache/previews'),
    importFolder: path.resolve(settings.DATA_DIR, 'imports'),
    sampleArtwork: sampleArtworkFile,
    quotaBytes: settings.TEMPLATE_QUOTA_MIB * 1024 * 1024,
    clock,
  })
}

/** The prepared templates of this node, as its settings place and bound them. */
export function openPreparedFiles(settings: Settings): Promise<PreparedFiles> {
  return PreparedFiles.open({
    root: path.resolve(settings.DATA_DIR, 'cache/prepared'),
    maxBytes: settings.PREPARED_CACHE_MIB * 1024 * 1024,
    leastFreeBytes: settings.FREE_DISK_MEGABYTES_MIN * 1024 * 1024 + LEAST_FREE_BYTES,
  })
}
