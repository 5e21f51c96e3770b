import { WorkerChannel } from '@vitrine/live'
import type { Quad } from '../quad.ts'
import type { FindCalls } from './find-frames-worker.ts'

/** Parts of a photo that may be frames, in its pixels, innermost first. Nothing is sent to the service. */
export function findFramesIn(photo: Blob): Promise<readonly Quad[]> {
  const worker = new Worker(new URL('./find-frames-worker.ts', import.meta.url), { type: 'module' })
  const channel = new WorkerChannel<FindCalls>(worker, 'The search could not start in this browser: reload the page.')
  return channel.askOnce('find', photo)
}
