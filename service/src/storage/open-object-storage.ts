import path from 'node:path'
import { type Settings, withBucketHost } from '../settings/load-settings.ts'
import { DiskStorage } from './disk-storage.ts'
import type { ObjectStorage } from './object-storage.ts'
import type { S3CredentialSource } from './s3-credentials.ts'
import { S3Storage, type StorageObserver } from './s3-storage.ts'

/** The folder of the objects in DATA_DIR, without S3. */
export const OBJECTS_FOLDER = 'objects'

/** The origin of ECS credentials that are configured by path only. */
const CONTAINER_CREDENTIALS_ORIGIN = 'http://169.254.170.2'

/** S3 if S3_ENDPOINT is set (S3_BUCKET and credentials are then set too), else the data folder. */
export function openObjectStorage(settings: Settings, onOperation?: StorageObserver): ObjectStorage {
  const { S3_ENDPOINT, S3_BUCKET = '', S3_ADDRESSING, S3_REGION, S3_KEY_PREFIX, DATA_DIR } = settings
  if (S3_ENDPOINT === undefined) return new DiskStorage(path.join(DATA_DIR, OBJECTS_FOLDER))
  return new S3Storage({
    endpoint: S3_ADDRESSING === 'path' ? `${S3_ENDPOINT}/${S3_BUCKET}` : withBucketHost(S3_ENDPOINT, S3_BUCKET),
    region: S3_REGION,
    keyPrefix: S3_KEY_PREFIX,
    credentials: credentialsOf(settings),
    ...(onOperation === undefined ? {} : { onOperation }),
  })
}

function credentialsOf(settings: Settings): S3CredentialSource {
  const { S3_REGION, S3_SESSION_TOKEN: sessionToken, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative = '' } = settings
  const sources = {
    keys: {
      from: 'keys',
      accessKeyId: settings.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? '',
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
    'web-identity': {
      from: 'web-identity',
      roleArn: settings.AWS_ROLE_ARN ?? '',
      tokenFile: settings.AWS_WEB_IDENTITY_TOKEN_FILE ?? '',
      endpoint: settings.AWS_ENDPOINT_URL_STS ?? `https://sts.${S3_REGION}.amazonaws.com`,
    },
    container: {
      from: 'container',
      url: settings.AWS_CONTAINER_CREDENTIALS_FULL_URI ?? `${CONTAINER_CREDENTIALS_ORIGIN}${relative}`,
      tokenFile: settings.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE,
    },
    instance: { from: 'instance', endpoint: settings.AWS_EC2_METADATA_SERVICE_ENDPOINT },
  } as const satisfies Record<Settings['S3_CREDENTIALS'], S3CredentialSource>
  return sources[settings.S3_CREDENTIALS]
}
