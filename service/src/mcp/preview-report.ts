import { z } from 'zod'
import { brokenOffSchemas } from '../sandbox/broken-off.ts'

export type PreviewRequest = { readonly files: readonly string[]; readonly bytesMax: number }

/** The answer of the process that makes previews: JPEGs as base64. */
export const previewReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('made'), previews: z.array(z.string()) }),
  ...brokenOffSchemas,
])

export type PreviewReport = z.infer<typeof previewReport>
