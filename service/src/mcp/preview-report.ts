import { z } from 'zod'

/** Tried in order, until the previews of an answer fit into it together. */
export const previewWidthsPx = [768, 640, 512, 384, 256, 192, 128, 64] as const

export type PreviewRequest = { readonly files: readonly string[]; readonly bytesMax: number }

/** What the process that makes previews answers: base64 of JPEGs. */
export const previewReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('made'), previews: z.array(z.string()) }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])

export type PreviewReport = z.infer<typeof previewReport>
