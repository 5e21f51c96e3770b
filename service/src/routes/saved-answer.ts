import { limits } from '@vitrine/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidParameter } from '../http/invalid-parameter.ts'
import { answerBodyKey } from '../idempotency/answer-bodies.ts'
import type { SavedAnswer } from '../idempotency/idempotency.ts'
import type { CompleteWork, SaveRequest } from '../mockups/generate-mockups.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { GenerateParameters } from './generate-parameters.ts'
import { type AnswerHeader, buildAnswer } from './generated-answer.ts'
import { hashParameters } from './hash-parameters.ts'
import { type NewLinks, savedLinks } from './picture-links.ts'

/** Larger answers are stored in chunks of this size. */
const STORED_PIECE_BYTES = 256 * 1024

/** An answer up to this size (most pictures of 2,000 px) stays in memory from storing to sending. */
const HELD_BYTES_MAX = 1024 * 1024

const expected = `1 to ${limits.idempotencyKeyCharactersMax} visible ASCII characters`

/** The Idempotency-Key of a request, or null. @throws {ApiError} INVALID_PARAMETER */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[!-~]+$/.test(key) && key.length <= limits.idempotencyKeyCharactersMax) return key
  throw invalidParameter('Idempotency-Key', { expected, allowed: expected }, key)
}

/** Saved in the database; the body is in object storage. */
const savedHeader = z.object({
  contentType: z.string(),
  templateId: z.string().nullable(),
  durationMs: z.int(),
  artworkDensity: z.number().nullable(),
  links: savedLinks.nullable(),
})

export function parseSavedHeader({ answer }: SavedAnswer): AnswerHeader {
  return savedHeader.parse(JSON.parse(answer))
}

/** How to save a request's answer, and its stored body, until that is taken for sending. */
export type AnswerSaving = SaveRequest & { readonly takeBody: () => Uint8Array | null }

export function saveAnswer(request: {
  readonly key: string
  readonly accountId: string
  readonly requestId: string
  readonly parameters: GenerateParameters
  readonly links: NewLinks
  readonly storage: ObjectStorage
}): AnswerSaving {
  const { key, accountId, requestId, parameters, links, storage } = request
  const bodyObjectKey = answerBodyKey(accountId, requestId)
  let held: Uint8Array | null = null
  return {
    key,
    requestHash: hashParameters(parameters),
    async store(work: CompleteWork): Promise<SavedAnswer> {
      const { sizeBytes, open, ...header } = buildAnswer(parameters, work, links)
      if (sizeBytes <= HELD_BYTES_MAX) held = await gather(open(HELD_BYTES_MAX))
      await storage.put(bodyObjectKey, held ?? open(STORED_PIECE_BYTES))
      return { bodyObjectKey, sizeBytes, answer: JSON.stringify(header satisfies AnswerHeader), linkId: links.id }
    },
    discard: saved => storage.delete(saved.bodyObjectKey),
    takeBody() {
      const body = held
      held = null
      return body
    },
  }
}

async function gather(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
}
