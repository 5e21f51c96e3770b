import type { Quad } from '../quad.ts'
import type { FindAnswer } from './find-frames-worker.ts'

/** Parts of a photo that may be frames, in its pixels, the largest first. Nothing leaves the browser. */
export async function findFramesIn(photo: Blob): Promise<readonly Quad[]> {
  const worker = new Worker(new URL('./find-frames-worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await new Promise<FindAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FindAnswer>) => resolve(data)
      worker.onerror = () => reject(new Error('The search could not start in this browser: reload the page.'))
      worker.postMessage(photo)
    })
    if (answer.kind === 'failed') throw new Error(answer.message)
    return answer.quads
  } finally {
    worker.terminate()
  }
}
