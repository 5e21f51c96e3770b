import { limits } from '@vitrine/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidParameter } from '../http/invalid-parameter.ts'
import { requestTimeOf } from '../http/request-id.ts'
import type { KeptAnswer } from '../idempotency/idempotency.ts'
import type { CompleteWork, KeepRequest } from '../mockups/generate-mockups.ts'

import type { ObjectStorage } from '../storage/object-storage.ts'
import type { GenerateParameters } from './generate-parameters.ts'
import { type AnswerHeader, buildAnswer } from './generated-answer.ts'
import { hashParameters } from './hash-parameters.ts'

/** Answers are stored in pieces of this size. */
const STORED_PIECE_BYTES = 256 * 1024

const BODY_PREFIX = 'answers/'

/** A day and an hour: answers are kept for a day from the end of their request, which lasts a minute at most. */
const BODY_AGE_MAX_MS = 25 * 3_600_000

const expected = `1 to ${limits.idempotencyKeyCharactersMax} visible ASCII characters`

/** The Idempotency-Key of a request, or null. @throws {ApiError} INVALID_PARAMETER */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[!-~]+$/.test(key) && key.length <= limits.idempotencyKeyCharactersMax) return key
  throw invalidParameter('Idempotency-Key', { expected, allowed: expected }, key)
}

/** Kept in the database; the body is in object storage. */
const keptHeader = z.object({ contentType: z.string(), templateId: z.string().nullable(), durationMs: z.int() })

export function parseKeptHeader({ answer }: KeptAnswer): AnswerHeader {
  return keptHeader.parse(JSON.parse(answer))
}

export function keepAnswer(request: {
  readonly key: string
  readonly accountId: string
  readonly requestId: string
  readonly parameters: GenerateParameters
  readonly storage: ObjectStorage
}): KeepRequest {
  const { key, accountId, requestId, parameters, storage } = request
  const bodyObjectKey = `${BODY_PREFIX}${accountId}/${requestId}`
  return {
    key,
    requestHash: hashParameters(parameters),
    async store(work: CompleteWork): Promise<KeptAnswer> {
      const { sizeBytes, open, ...header } = buildAnswer(parameters, work)
      await storage.put(bodyObjectKey, open(STORED_PIECE_BYTES))
      return { bodyObjectKey, sizeBytes, answer: JSON.stringify(header satisfies AnswerHeader) }
    },
    discard: kept => storage.delete(kept.bodyObjectKey),
  }
}

/**
 * Removes bodies that are too old to be of an answer. They stay where a process dies between storing a body
 * and settling its charge, or between forgetting an answer and deleting its body. Returns their number.
 */
export async function removeOrphanedBodies(storage: ObjectStorage, nowMs: number): Promise<number> {
  let removed = 0
  for (const { key } of await storage.list(BODY_PREFIX)) {
    const storedAtMs = requestTimeOf(key.slice(key.lastIndexOf('/') + 1))
    if (storedAtMs === null || nowMs - storedAtMs <= BODY_AGE_MAX_MS) continue
    await storage.delete(key)
    removed += 1
  }
  return removed
}
