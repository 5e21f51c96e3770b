import type { OutputFormat } from '@vitrine/contract'
import type { DecodedBy, PictureOutput } from '@vitrine/engine'
import { z } from 'zod'

/** A template as a render process needs it. The key changes whenever the bundle does, so it may name cached work. */
export type TemplateBundle = {
  /** `id@version` */
  readonly key: string
  /** Folder on the local disk that holds the bundle's files. */
  readonly folder: string
}

/** An artwork file and where it goes: into one frame, or (`null`) into every one. */
export type JobArtwork = {
  readonly frameIndex: number | null
  readonly file: string
  /** Files of the same content have the same name, for the life of the service's process; null where nobody named it. */
  readonly contentName: string | null
}

/** `never` where the two unions differ. */
type Same<First, Second> = [First, Second] extends [Second, First] ? First : never

/** How the finished pictures are written. */
export type JobOutput = {
  /** Nothing compiles where the contract and the engine have different formats. */
  readonly format: Same<OutputFormat, PictureOutput['format']>
  /** 1 to 100; a format without quality ignores it. */
  readonly quality: number
  readonly widthPx: number
}

/** The work of one request: the same artwork into one or more templates, all by the same process so that it decodes once. */
export type RenderJob = {
  readonly mockups: readonly { readonly bundle: TemplateBundle; readonly toFile: string }[]
  readonly artworks: readonly JobArtwork[]
  readonly output: JobOutput
}

/** What became of one mockup. The picture is in the job's file. */
export type RenderedMockup = {
  readonly sizeBytes: number
  readonly widthPx: number
  readonly heightPx: number
  readonly durationMs: number
  readonly stages: readonly { readonly name: string; readonly durationMs: number }[]
  /** Who decoded each of the artworks. */
  readonly decodedBy: readonly DecodedBy[]
}

/** The name under which a process keeps a template that is prepared for a width. */
export function warmKey(bundle: TemplateBundle, widthPx: number): string {
  return `${bundle.key}/${widthPx}`
}

/** What the service asks of a render process. */
export type ToWorker =
  | { readonly kind: 'render'; readonly jobId: number; readonly job: RenderJob }
  | { readonly kind: 'cancel'; readonly jobId: number }

const sizePx = z.int().min(1)
const durationMs = z.number().min(0)

/**
 * What a render process answers. It is read like a stranger's message: the process has read strangers' pictures, and a decoder
 * that was broken into speaks from there.
 */
export const fromWorkerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({
    kind: z.literal('mockup'),
    jobId: z.int(),
    sizeBytes: z.int().min(1),
    widthPx: sizePx,
    heightPx: sizePx,
    durationMs,
    stages: z.array(z.object({ name: z.string().max(40), durationMs })).max(40),
    decodedBy: z.array(z.enum(['vitrine', 'general', 'memory'])).max(1000),
  }),
  z.object({
    kind: z.literal('done'),
    jobId: z.int(),
    outcome: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('complete') }),
      z.object({
        kind: z.literal('rejected'),
        reason: z.string().regex(/^[a-z_]{1,40}$/),
        message: z.string().max(500),
        frameIndex: z.int().nullable(),
      }),
      z.object({ kind: z.literal('failed'), message: z.string().max(10_000) }),
      z.object({ kind: z.literal('cancelled') }),
    ]),
    residentBytes: z.int().min(0),
    warm: z.array(z.string().max(400)).max(1000),
  }),
])

/** A message of a render process, after it was checked. */
export type FromWorker = z.infer<typeof fromWorkerSchema>
