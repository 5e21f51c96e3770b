import type { OutputFormat, Placement } from '@vitrine/contract'
import type { DecodedBy, Placement as EnginePlacement, PictureOutput } from '@vitrine/engine'
import { partNameForm } from '@vitrine/engine/bundle'
import { z } from 'zod'
import type { PreparedFile, PreparedFrom, TemplateBundle } from '../templates/template-bundle.ts'
import type { FrameKey, FrameSlots } from './frame-key.ts'
import type { ChosenColors } from './request-artwork.ts'

/** An artwork file and its frame or slot; `null` for every frame. */
export type JobArtwork = {
  readonly frame: FrameKey | null
  readonly file: string
  /** See `ContentName`; null for a file without one. */
  readonly contentName: string | null
}

/** Fails to compile if the placements of the contract and the engine differ. */
export type JobPlacements = {
  readonly all: Same<Placement, EnginePlacement> | undefined
  readonly byFrame: readonly (readonly [frame: FrameKey, placement: Same<Placement, EnginePlacement>])[]
}

/** `never` if the two types differ. */
type Same<First, Second> = [First, Second] extends [Second, First] ? First : never

/** How to write the finished pictures. */
export type JobOutput = {
  /** Fails to compile if the formats of the contract and the engine differ. */
  readonly format: Same<OutputFormat, PictureOutput['format']>
  /** 1 to 100; ignored by a format without quality. */
  readonly quality: number
  readonly widthPx: number
  /** If set, a JPEG of at most this size is written beside each picture: see `previewFileOf`. */
  readonly previewBytesMax?: number
}

/** Where the preview of a mockup is, if one was asked for and fits. */
export const previewFileOf = (mockupFile: string): string => `${mockupFile}-preview`

/**
 * The same artwork in one or more templates, rendered by one process, which decodes it once. Templates with
 * the most frames come first: they use every artwork, so bad artwork is found before other work is done.
 */
export type RenderJob = {
  /** The owner of the artworks: decoded artworks are cached for later jobs of the same account only. */
  readonly accountId: string
  readonly mockups: readonly {
    readonly bundle: TemplateBundle
    readonly toFile: string
    /** The slots of its frames; missing if none has one. */
    readonly slots?: FrameSlots
    /** The cached prepared template. */
    readonly prepared?: PreparedFile | undefined
  }[]
  readonly artworks: readonly JobArtwork[]
  readonly placements: JobPlacements
  /** #rrggbb by area name; a template ignores unknown names. */
  readonly colors: ChosenColors
  readonly output: JobOutput
}

/** The cache key of a template prepared for a width. */
export function warmKey(bundle: TemplateBundle, widthPx: number): string {
  return `${bundle.key}/${widthPx}`
}

/** The service's messages to a render process. */
export type ToWorker =
  | { readonly kind: 'render'; readonly jobId: number; readonly job: RenderJob }
  | { readonly kind: 'cancel'; readonly jobId: number }

const sizePx = z.int().min(1)
const durationMs = z.number().min(0)

const decoders = { vitrine: 'vitrine', general: 'general', memory: 'memory' } as const satisfies {
  readonly [Name in DecodedBy]: Name
}

const preparedFrom: z.core.$ZodType<PreparedFrom> = z.enum(['memory', 'file', 'bundle'])

const renderedMockup = z.object({
  sizeBytes: z.int().min(1),
  widthPx: sizePx,
  heightPx: sizePx,
  durationMs,
  stages: z
    .array(z.object({ name: z.string().max(40), durationMs }).readonly())
    .max(40)
    .readonly(),
  preparedFrom,
  /** The decoder of each artwork. */
  decodedBy: z.array(z.enum(decoders)).max(1000).readonly(),
  /** One per frame, in order. */
  artworks: z
    .array(z.object({ widthPx: sizePx, heightPx: sizePx, density: z.number().min(0) }).readonly())
    .max(1000)
    .readonly(),
})

/** A finished mockup. The picture is in the job's file. */
export type RenderedMockup = Readonly<z.infer<typeof renderedMockup>>

/** Messages from a render process. Untrusted: a hostile picture may have taken over the decoder. */
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
        hint: z.string().max(500).optional(),
        frame: z.union([z.int(), z.string().regex(partNameForm)]).nullable(),
      }),
      z.object({ kind: z.literal('disk-full') }),
      z.object({ kind: z.literal('failed'), message: z.string().max(10_000) }),
      z.object({ kind: z.literal('cancelled') }),
    ]),
    /** Processor time of all its threads for this job, in milliseconds. */
    processorMs: durationMs,
    residentBytes: z.int().min(0),
    warm: z.array(z.string().max(400)).max(1000),
  }),
])

export type FromWorker = z.infer<typeof fromWorkerSchema>

/** How a job ended. */
export type JobOutcome = Extract<FromWorker, { kind: 'done' }>['outcome']
