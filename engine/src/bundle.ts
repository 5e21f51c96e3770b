/** Bundles and files for programs that decode and draw nothing: only a few modules. */
export { unsupportedFile } from './artwork/artwork-error.ts'
export type { ArtworkType } from './artwork/artwork-facts.ts'
export { ARTWORK_TYPE_BYTES, findArtworkType } from './artwork/find-artwork-type.ts'
export { BundleError, describeFault, type Fault } from './template/bundle-error.ts'
export { PART_NAME, partNameForm } from './template/part-name.ts'
export { PACK_FORMAT, type PackWidthPx, packBytesMax, packWidthsPx } from './template/preview-pack.ts'
export { slugOf } from './template/slug.ts'
