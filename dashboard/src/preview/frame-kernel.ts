import { FrameKernel } from '@vitrine/engine'
import kernelUrl from '@vitrine/engine/kernels/frame-drawer.wasm?url'

/** The kernel that draws frames for customers, to the same bytes as the engine's plain TypeScript; null where the browser runs none. */
export const frameKernel: Promise<FrameKernel | null> = (async () => {
  try {
    return new FrameKernel(await WebAssembly.compileStreaming(fetch(kernelUrl, { credentials: 'same-origin' })))
  } catch {
    return null
  }
})()
