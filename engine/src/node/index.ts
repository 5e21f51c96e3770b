/** The parts of the engine that need Node: pictures by sharp, bundles from disk. */
export { createSharpCodec } from './create-sharp-codec.ts'
export { deflateParts } from './deflate-parts.ts'
export { encodeLayer } from './encode-layer.ts'
export { encodePack } from './encode-pack.ts'
export { createFrameKernel, createPictureEncoder, createRenderer, loadKernels } from './load-kernels.ts'
export { loadWatermarkLetters } from './load-watermark-letters.ts'
export { openBundleFolder } from './open-bundle-folder.ts'
export { packPrepared, unpackPrepared } from './prepared-file.ts'
