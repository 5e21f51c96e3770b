import { limits } from '@vitrine/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidParameter } from '../http/invalid-parameter.ts'
import type { KeptAnswer } from '../idempotency/idempotency.ts'
import type { CompleteWork, KeepRequest } from '../mockups/generate-mockups.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { answerBodyKey } from './answer-bodies.ts'
import type { GenerateParameters } from './generate-parameters.ts'
import { type AnswerHeader, buildAnswer } from './generated-answer.ts'
import { hashParameters } from './hash-parameters.ts'
import { keptLinks, type NewLinks } from './picture-links.ts'

/** Answers are stored in pieces of this size. */
const STORED_PIECE_BYTES = 256 * 1024

const expected = `1 to ${limits.idempotencyKeyCharactersMax} visible ASCII characters`

/** The Idempotency-Key of a request, or null. @throws {ApiError} INVALID_PARAMETER */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[!-~]+$/.test(key) && key.length <= limits.idempotencyKeyCharactersMax) return key
  throw invalidParameter('Idempotency-Key', { expected, allowed: expected }, key)
}

/** Kept in the database; the body is in object storage. */
const keptHeader = z.object({
  contentType: z.string(),
  templateId: z.string().nullable(),
  durationMs: z.int(),
  // Answers that an earlier version kept have none.
  artworkDensity: z.number().nullable().default(null),
  links: keptLinks.nullable().default(null),
})

export function parseKeptHeader({ answer }: KeptAnswer): AnswerHeader {
  return keptHeader.parse(JSON.parse(answer))
}

export function keepAnswer(request: {
  readonly key: string
  readonly accountId: string
  readonly requestId: string
  readonly parameters: GenerateParameters
  readonly links: NewLinks
  readonly storage: ObjectStorage
}): KeepRequest {
  const { key, accountId, requestId, parameters, links, storage } = request
  const bodyObjectKey = answerBodyKey(accountId, requestId)
  return {
    key,
    requestHash: hashParameters(parameters),
    async store(work: CompleteWork): Promise<KeptAnswer> {
      const { sizeBytes, open, ...header } = buildAnswer(parameters, work, links)
      await storage.put(bodyObjectKey, open(STORED_PIECE_BYTES))
      return { bodyObjectKey, sizeBytes, answer: JSON.stringify(header satisfies AnswerHeader), linkId: links.id }
    },
    discard: kept => storage.delete(kept.bodyObjectKey),
  }
}
