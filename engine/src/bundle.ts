/** What a program knows of bundles and packs that decodes and draws nothing: a few modules instead of all. */
export { BundleError, describeFault, type Fault } from './template/bundle-error.ts'
export { PACK_FORMAT, type PackWidthPx, packBytesMax, packWidthsPx } from './template/preview-pack.ts'
