/** What the engine needs of Node: pictures by sharp, bundles from disk. All else: the main entry. */
export { createSharpCodec } from './create-sharp-codec.ts'
export { createFrameKernel, createPictureEncoder, createRenderer, loadKernels } from './load-kernels.ts'
export { openBundleFolder } from './open-bundle-folder.ts'
