import { z } from 'zod'

/** The answers of an aborted sandboxed program, whatever the request. */
export const brokenOffSchemas = [
  z.object({ kind: z.literal('disk-full') }),
  z.object({ kind: z.literal('out-of-memory') }),
  z.object({ kind: z.literal('failed'), message: z.string().max(10_000) }),
] as const

export type BrokenOff = z.infer<(typeof brokenOffSchemas)[number]>
