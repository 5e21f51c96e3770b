import type { DecodedBy } from '@vitrine/engine'
import { partNameForm } from '@vitrine/engine/bundle'
import { z } from 'zod'
import type { PreparedFrom } from '../templates/template-bundle.ts'
import type { RenderJob } from './render-job.ts'

// A render process imports only types from here: loading zod would be a sixth of its start.

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
