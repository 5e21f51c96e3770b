import { PACK_FORMAT } from '@vitrine/engine/bundle'

/**
 * Names in `toFolder`: the folder of the bundle's files, and the thumbnail, which is always a newly encoded
 * JPEG.
 */
export const FILES_FOLDER = 'files'
export const THUMBNAIL_FILE = 'thumbnail.jpg'

/** The thumbnail's object, below the prefix of a version. */
export const THUMBNAIL_OBJECT = 'thumbnail'

/** The name of a pack in `toFolder`, and the last part of its object's key. */
export const packName = (widthPx: number): string => `${PACK_PREFIX}${PACK_FORMAT}-${widthPx}`

const PACK_PREFIX = 'pack-'

/** The name of a prepared template in `toFolder`. */
export const PREPARED_FILE = 'prepared'

/** The last part of the name that the process gives a file: a bundle's own paths are untrusted. */
export const storedName = (index: number): string => `${index}`
