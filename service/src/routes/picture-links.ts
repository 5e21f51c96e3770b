import { randomBytes, timingSafeEqual } from 'node:crypto'
import { outputFormatNames, outputFormats } from '@vitrine/contract'
import { z } from 'zod'
import { SAVED_FOR_MS } from '../idempotency/idempotency.ts'

/** Identifies the answer's row; the token, not the id, is the secret. */
const ID_BYTES = 12

/** 192 bits, so that URLs cannot be guessed. */
const TOKEN_BYTES = 24

/** A picture in an answer's stored body: its own bytes, or base64 from `offset` on within JSON. */
const storedPicture = z.object({
  templateId: z.string(),
  format: z.enum(outputFormatNames),
  sizeBytes: z.int(),
  offset: z.int(),
})

export type StoredPicture = z.infer<typeof storedPicture>

/** What is saved with an answer whose pictures have URLs. */
export const savedLinks = z.object({
  id: z.string(),
  /** One for each picture, so that one URL does not give access to others. */
  tokens: z.array(z.string()),
  expiresAtMs: z.int(),
  pictures: z.array(storedPicture),
})

export type SavedLinks = z.infer<typeof savedLinks>

/** The URLs of pictures that are not made yet. */
export type NewLinks = Omit<SavedLinks, 'pictures'> & { readonly publicUrl: string }

/** Creates URLs for pictures. They expire a day after the request began, when its answer is still saved. */
export function makeLinks(count: number, startedAtMs: number, publicUrl: string): NewLinks {
  return {
    id: randomBytes(ID_BYTES).toString('base64url'),
    tokens: Array.from({ length: count }, () => randomBytes(TOKEN_BYTES).toString('base64url')),
    expiresAtMs: startedAtMs + SAVED_FOR_MS,
    publicUrl,
  }
}

/** The URL of the picture with this index. It has the format's file extension, which shops' programs need. */
export function linkOf(
  { id, tokens }: Pick<SavedLinks, 'id' | 'tokens'>,
  index: number,
  { publicUrl, fileName }: { readonly publicUrl: string; readonly fileName: string },
): string {
  return `${publicUrl}/pictures/${id}.${tokens[index] ?? ''}/${fileName}`
}

/** The expiry for headers and JSON: ISO 8601 in UTC, in whole seconds. */
export function linkExpiry({ expiresAtMs }: Pick<SavedLinks, 'expiresAtMs'>): string {
  return `${new Date(expiresAtMs).toISOString().slice(0, -'.000Z'.length)}Z`
}

/** The parts of a link's name, or null if it is malformed. */
export function parseLinkName(name: string): { readonly id: string; readonly token: string } | null {
  const [, id, token] = /^([\w-]{16})\.([\w-]{32})$/.exec(name) ?? []
  return id === undefined || token === undefined ? null : { id, token }
}

/** The picture with this token, or null. */
export function findPicture({ tokens, pictures }: SavedLinks, token: string): StoredPicture | null {
  const given = Buffer.from(token)
  const index = tokens.findIndex(each => timingSafeEqual(Buffer.from(each), given))
  return pictures[index] ?? null
}

/** The name of a picture's file: the template and the format's extension. */
export function fileNameOf({ templateId, format }: Pick<StoredPicture, 'templateId' | 'format'>): string {
  return `${templateId.replaceAll(/[^\w.-]/g, '_')}.${outputFormats[format].extension}`
}

export const pictureDisposition = (fileName: string): string => `inline; filename="${fileName}"`
