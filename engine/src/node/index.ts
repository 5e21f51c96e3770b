/**
 * What the engine needs of Node: pictures by sharp, bundles from disk. Everything else is in the engine's
 * main entry.
 */
export { createSharpCodec } from './create-sharp-codec.ts'
export { createFrameKernel, createPictureEncoder, createRenderer, loadKernels } from './load-kernels.ts'
export { openBundleFolder } from './open-bundle-folder.ts'
