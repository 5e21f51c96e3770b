import path from 'node:path'
import type { Settings } from '../settings/load-settings.ts'
import { DiskStorage } from './disk-storage.ts'
import type { ObjectStorage } from './object-storage.ts'
import { S3Storage, type StorageObserver } from './s3-storage.ts'

/** The folder of the objects in DATA_DIR, without S3. */
export const OBJECTS_FOLDER = 'objects'

/** S3 where S3_ENDPOINT is set (S3_BUCKET and both keys are then set too), else the data folder. */
export function openObjectStorage(settings: Settings, onOperation?: StorageObserver): ObjectStorage {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION, DATA_DIR } = settings
  if (S3_ENDPOINT === undefined) return new DiskStorage(path.join(DATA_DIR, OBJECTS_FOLDER))
  return new S3Storage({
    endpoint: `${S3_ENDPOINT}/${S3_BUCKET ?? ''}`,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_SECRET_ACCESS_KEY ?? '',
    ...(onOperation === undefined ? {} : { onOperation }),
  })
}
