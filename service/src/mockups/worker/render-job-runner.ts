import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Artwork,
  ArtworkError,
  type ImageCodec,
  inspectArtwork,
  type OpaquePixmap,
  type Pause,
  type PixelMemory,
  type Renderer,
} from '@vitrine/engine'
import { isDiskFull } from '../../errors/disk-full-error.ts'
import { byFrameIndex, type FrameKey, type FrameSlots } from '../frame-key.ts'
import { WORK_SLICE_MS } from '../limits.ts'
import { previewFileOf, type RenderJob } from '../render-job.ts'
import type { JobOutcome, RenderedMockup } from '../worker-messages.ts'
import type { DecodedArtworkCache } from './decoded-artwork-cache.ts'
import { JobCancelledError } from './job-cancelled-error.ts'
import { encodePreviews, shrinkToPreview } from './small-pictures.ts'
import type { TemplateCache } from './template-cache.ts'

/** An artwork's bytes with its frame or slot. */
type LoadedArtwork = Artwork & { readonly frame: FrameKey | null }

/** What a render process retains between jobs. */
type Tools = {
  readonly templates: TemplateCache
  readonly decoded: DecodedArtworkCache
  readonly renderer: Renderer
  /** For the artworks' files. */
  readonly memory: PixelMemory
}

/** Messages of defects are truncated, since they may quote data. */
const MAX_MESSAGE_LENGTH = 2000

/** Renders a job's mockups in order, and reports each when its file is complete. Never throws. */
export async function runJob(
  job: RenderJob,
  tools: Tools,
  isCancelled: () => boolean,
  onMockup: (mockup: RenderedMockup) => void,
): Promise<JobOutcome> {
  const loaded: LoadedArtwork[] = []
  let blamed: Uint8Array | null = null
  let heardAtMs = Number.NEGATIVE_INFINITY
  /** Yields so that a cancellation message can arrive. */
  const listen = async (): Promise<void> => {
    await nextTurn()
    heardAtMs = performance.now()
    if (isCancelled()) throw new JobCancelledError('The job was cancelled')
  }
  const pause: Pause = () => (performance.now() - heardAtMs < WORK_SLICE_MS ? undefined : listen())
  const codec: ImageCodec = {
    ...tools.decoded.codec,
    encode: async (...parameters) => {
      await pause()
      return tools.decoded.codec.encode(...parameters)
    },
    decodeArtwork: async (bytes, target, facts) => {
      await pause()
      try {
        return await tools.decoded.codec.decodeArtwork(bytes, target, facts)
      } catch (error) {
        blamed = bytes
        throw error
      }
    },
  }
  try {
    if (isCancelled()) return { kind: 'cancelled' }
    const refusal = loadArtworks(job, loaded, tools)
    if (refusal !== null) return refusal
    for (const mockup of job.mockups) {
      await listen()
      onMockup(await render(job, mockup, loaded, tools, codec, pause))
    }
    return { kind: 'complete' }
  } catch (error) {
    if (error instanceof JobCancelledError) return { kind: 'cancelled' }
    if (isDiskFull(error)) return { kind: 'disk-full' }
    if (!(error instanceof ArtworkError)) return { kind: 'failed', message: describe(error) }
    return rejected(error, loaded.find(artwork => artwork.bytes === blamed)?.frame ?? null)
  } finally {
    for (const { bytes } of loaded) tools.memory.giveBack(bytes)
  }
}

/**
 * Reads and inspects every artwork before anything is prepared or decoded. File access is synchronous: the
 * process has nothing else to do, and the thread pool would cost more than the calls.
 */
function loadArtworks(job: RenderJob, loaded: LoadedArtwork[], { decoded, memory }: Tools): JobOutcome | null {
  const byFile = new Map<string, Artwork>()
  for (const { file, frame, contentName } of job.artworks) {
    const known = byFile.get(file)
    if (known) {
      loaded.push({ ...known, frame })
      continue
    }
    const bytes = readInto(memory, file)
    try {
      const artwork = { bytes, facts: inspectArtwork(bytes) }
      decoded.name(bytes, { accountId: job.accountId, contentName })
      byFile.set(file, artwork)
      loaded.push({ ...artwork, frame })
    } catch (error) {
      memory.giveBack(bytes)
      if (error instanceof ArtworkError) return rejected(error, frame)
      throw error
    }
  }
  return null
}

/** Reads a file into reused memory: allocating memory costs more than reading. */
function readInto(memory: PixelMemory, file: string): Uint8Array {
  const descriptor = openSync(file, 'r')
  try {
    const { size: sizeBytes } = fstatSync(descriptor)
    const bytes = memory.take(sizeBytes)
    try {
      for (let filled = 0; filled < sizeBytes; ) {
        const count = readSync(descriptor, bytes, filled, sizeBytes - filled, filled)
        if (count === 0) throw new Error('An artwork file became shorter while it was read.')
        filled += count
      }
      return bytes
    } catch (error) {
      memory.giveBack(bytes)
      throw error
    }
  } finally {
    closeSync(descriptor)
  }
}

async function render(
  job: RenderJob,
  { bundle, toFile, slots = [], prepared: preparedFile }: RenderJob['mockups'][number],
  artworks: readonly LoadedArtwork[],
  { templates, decoded, renderer }: Tools,
  codec: ImageCodec,
  pause: Pause,
): Promise<RenderedMockup> {
  const startedMs = performance.now()
  const options = { preparedFile, pause, colors: job }
  const { prepared, from } = await templates.get(bundle, job.output.widthPx, options)
  const preparedMs = performance.now()
  const { previewBytesMax } = job.output
  let small: OpaquePixmap | null = null
  const seeing: ImageCodec = {
    ...codec,
    encode: async (picture, ...parameters) => {
      if (previewBytesMax !== undefined) small = await shrinkToPreview(picture, codec)
      return codec.encode(picture, ...parameters)
    },
  }
  const mockup = await renderer.render(
    {
      prepared,
      artworks: framesOf(artworks, slots),
      placements: { all: job.placements.all, byFrame: byFrameIndex(job.placements.byFrame, slots) },
      output: job.output,
      // The templates of a batch may show different parts of an artwork, which is decoded once.
      needsWhole: (bytes, target) => job.mockups.length > 1 || decoded.hasOtherPart(bytes, target),
      pause,
    },
    seeing,
  )
  const newFile = { flag: 'wx', mode: 0o600 } as const
  writeFileSync(toFile, mockup.bytes, newFile)
  if (small !== null && previewBytesMax !== undefined) {
    const [preview] = (await encodePreviews([small], previewBytesMax, codec)) ?? []
    if (preview !== undefined) writeFileSync(previewFileOf(toFile), preview, newFile)
  }
  return {
    sizeBytes: mockup.bytes.byteLength,
    widthPx: mockup.widthPx,
    heightPx: mockup.heightPx,
    durationMs: performance.now() - startedMs,
    preparedFrom: from,
    decodedBy: mockup.decodedBy,
    artworks: mockup.artworks,
    stages: [{ name: 'prepare', durationMs: preparedMs - startedMs }, ...mockup.stages],
  }
}

function framesOf(
  artworks: readonly LoadedArtwork[],
  slots: FrameSlots,
): LoadedArtwork | ReadonlyMap<number, LoadedArtwork> {
  const [first] = artworks
  if (first !== undefined && first.frame === null) return first
  return byFrameIndex(
    artworks.map(artwork => [artwork.frame ?? 0, artwork] as const),
    slots,
  )
}

function rejected(error: ArtworkError, frame: FrameKey | null): JobOutcome {
  const { reason, message, hint } = error
  return { kind: 'rejected', reason, message: message.slice(0, 500), ...(hint === null ? {} : { hint }), frame }
}

function describe(error: unknown): string {
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, MAX_MESSAGE_LENGTH)
}
