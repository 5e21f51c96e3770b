import type { OutputFormat } from '@vitrine/contract'
import type { DecodedBy, PictureOutput } from '@vitrine/engine'
import { z } from 'zod'

/** One version of a template on the local disk. */
export type TemplateBundle = {
  /** Another one for every version: it names cached work. */
  readonly key: string
  readonly folder: string
}

/** An artwork file and its frame; `null` for every frame. */
export type JobArtwork = {
  readonly frameIndex: number | null
  readonly file: string
  /** See `ContentName`; null for a file without one. */
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

/**
 * The same artwork into one or more templates, all by one process, which decodes it once. Templates with the
 * most frames come first: they show every artwork, so that a bad one is found before other work.
 */
export type RenderJob = {
  /** Whose artworks they are: decoded ones are kept for later jobs of the same account alone. */
  readonly accountId: string
  readonly mockups: readonly { readonly bundle: TemplateBundle; readonly toFile: string }[]
  readonly artworks: readonly JobArtwork[]
  readonly output: JobOutput
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

const decoders = { vitrine: 'vitrine', general: 'general', memory: 'memory' } as const satisfies {
  readonly [Name in DecodedBy]: Name
}

const renderedMockup = z.object({
  sizeBytes: z.int().min(1),
  widthPx: sizePx,
  heightPx: sizePx,
  durationMs,
  stages: z
    .array(z.object({ name: z.string().max(40), durationMs }).readonly())
    .max(40)
    .readonly(),
  /** The decoder of each of the artworks. */
  decodedBy: z.array(z.enum(decoders)).max(1000).readonly(),
})

/** A finished mockup. The picture is in the job's file. */
export type RenderedMockup = Readonly<z.infer<typeof renderedMockup>>

/** The messages of a render process, untrusted: a hostile picture may have taken over its decoder. */
export const fromWorkerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  renderedMockup.extend({ kind: z.literal('mockup'), jobId: z.int() }),
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
    /** Of all its threads, for this job, in milliseconds. */
    processorMs: durationMs,
    residentBytes: z.int().min(0),
    warm: z.array(z.string().max(400)).max(1000),
  }),
])

export type FromWorker = z.infer<typeof fromWorkerSchema>

/** How a job ended. */
export type JobOutcome = Extract<FromWorker, { kind: 'done' }>['outcome']
