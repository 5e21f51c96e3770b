import path from 'node:path'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import type { Settings } from '../settings/load-settings.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { UploadRoom } from '../storage/upload-room.ts'
import { LEAST_FREE_BYTES } from './limits.ts'
import { PreparedFiles } from './prepared-files.ts'
import { type BundleWork, TemplateStore, type TemplateStoreOptions } from './template-store.ts'

/** The bundled sample artwork: in thumbnails, and in the first command of the quick start. */
export const sampleArtworkFile = path.resolve(import.meta.dirname, '../../assets/sample-artwork.jpg')

/** Free bytes of the data disk that unpaid work must leave; /readyz still reports healthy then. */
export function leastFreeBytesOf({ FREE_DISK_MEGABYTES_MIN }: Settings): number {
  return FREE_DISK_MEGABYTES_MIN * 1024 * 1024 + LEAST_FREE_BYTES
}

/** Opens the template store as the settings say. */
export function openTemplateStore(
  settings: Settings,
  database: Database,
  storage: ObjectStorage,
  {
    clock = Date.now,
    onImported = () => undefined,
    room = new UploadRoom(path.resolve(settings.DATA_DIR), leastFreeBytesOf(settings)),
    background,
    work = {},
  }: {
    readonly clock?: Clock
    readonly room?: UploadRoom
    readonly onImported?: NonNullable<TemplateStoreOptions['onImported']>
    readonly background?: BackgroundWork
    readonly work?: Partial<BundleWork> | undefined
  } = {},
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
    room,
    onImported,
    clock,
    background,
    ...work,
  })
}

/** Opens this node's prepared templates as the settings say. */
export function openPreparedFiles(settings: Settings, background: BackgroundWork): Promise<PreparedFiles> {
  return PreparedFiles.open({
    root: path.resolve(settings.DATA_DIR, 'cache/prepared'),
    maxBytes: settings.PREPARED_CACHE_MIB * 1024 * 1024,
    leastFreeBytes: leastFreeBytesOf(settings),
    background,
  })
}
