import { WorkerChannel } from '@vitrine/live'
import type { PhotoCalls } from './photo-messages.ts'

export type PhotoWorker = WorkerChannel<PhotoCalls>

export function startPhotoWorker(): PhotoWorker {
  const worker = new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' })
  return new WorkerChannel(worker, 'The picture could not be drawn in this browser: reload the page.')
}

/** A worker with a photo. */
export function openPhotoWorker(photo: Blob): PhotoWorker {
  const worker = startPhotoWorker()
  // What is asked of a photo that does not open says so.
  worker.ask('open', photo).catch(() => undefined)
  return worker
}
