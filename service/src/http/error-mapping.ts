import { type ErrorCode, errorDefinition } from '@vitrine/contract'
import type { DownloadFault } from '../artwork-download/download-error.ts'
import { classifyDatabaseError } from '../database/database-error.ts'
import {
  ArtworkNotFetched,
  FramesWithoutArtwork,
  IdempotencyConflict,
  IdempotencyMismatch,
  InsufficientCredits,
  TemplatesNotFound,
  UnknownFrames,
} from '../mockups/generation-errors.ts'
import { ArtworkRejected, RenderBusy, RenderFailed } from '../mockups/render-errors.ts'
import { ApiError } from './api-error.ts'
import { shown, withoutKeys } from './received-value.ts'

/** 503 with the whole seconds until it is worth trying again. */
export function serverBusy(retryAfterS: number, cause?: unknown): ApiError {
  return new ApiError('SERVER_BUSY', { headers: { 'Retry-After': String(retryAfterS) }, cause })
}

/** The answers to refusals by their seconds, of which there are few: thousands a second may be given. */
const answersToBusy = new Map<number, ApiError>()

function answerToBusy({ retryAfterS }: RenderBusy): ApiError {
  const known = answersToBusy.get(retryAfterS)
  if (known !== undefined) return known
  const answer = serverBusy(retryAfterS)
  answersToBusy.set(retryAfterS, answer)
  return answer
}

/** A database that is gone comes back in seconds or not for long. */
const DATABASE_RETRY_S = 2

/** Errors of Fastify and Node that are the caller's doing. */
const codesOfTransport: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_REQUEST',
  FST_ERR_BAD_URL: 'MALFORMED_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'REQUEST_HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'MALFORMED_REQUEST',
}

/** The `code` of an error of Node or Fastify. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/**
 * The answer to an error, whichever layer it comes from. What nobody expected is a defect: INTERNAL_ERROR, and its text stays here.
 */
export function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof RenderBusy) return answerToBusy(error)
  const expected = generationError(error)
  if (expected !== null) return expected
  if (error instanceof ArtworkRejected) return artworkRejected(error)
  if (error instanceof RenderFailed) return new ApiError('MOCKUP_GENERATION_FAILED', { cause: error })
  const code = codesOfTransport[systemCodeOf(error)]
  if (code !== undefined) return new ApiError(code, { cause: error })
  // Single statements throw what the driver says; transactions have tried again before they give up.
  const kind = classifyDatabaseError(error)
  if (kind === 'unavailable' || kind === 'busy') return serverBusy(DATABASE_RETRY_S, error)
  return new ApiError('INTERNAL_ERROR', { details: { request_id: requestId }, cause: error })
}

function artworkRejected(error: ArtworkRejected): ApiError {
  const { reason, message, frameIndex } = error
  return new ApiError('INVALID_ARTWORK', {
    message,
    details: { reason, ...(frameIndex === null ? {} : { frame: frameIndex }) },
    cause: error,
  })
}

/** What may go wrong in a generation without anybody's defect. */
function generationError(error: unknown): ApiError | null {
  if (error instanceof TemplatesNotFound)
    return new ApiError('TEMPLATE_NOT_FOUND', {
      details: { missing_template_ids: error.missingTemplateIds.map(withoutKeys) },
    })
  if (error instanceof FramesWithoutArtwork) {
    const missing = error.missingFrames.map(({ templateId, frames }) => ({ template_id: templateId, frames }))
    return new ApiError('MISSING_ARTWORK', {
      message: 'Expected artwork for every frame of every template but some have none.',
      hint: 'Frame indices start at 0; name each one.',
      details: { missing_frames: missing },
    })
  }
  if (error instanceof UnknownFrames)
    return new ApiError('INVALID_FRAME_INDEX', {
      details: { invalid_frames: error.keys.map(key => shown(key)), frame_count: error.frameCount },
    })
  if (error instanceof InsufficientCredits)
    return new ApiError('INSUFFICIENT_CREDITS', {
      details: { required_cents: error.requiredCredits, balance_cents: error.spendableCredits },
    })
  if (error instanceof ArtworkNotFetched) return notFetched(error)
  if (error instanceof IdempotencyConflict)
    return new ApiError('IDEMPOTENCY_CONFLICT', { headers: { 'Retry-After': '1' } })
  if (error instanceof IdempotencyMismatch) return new ApiError('IDEMPOTENCY_MISMATCH')
  return null
}

const codesOfDownload = {
  forbidden: 'ARTWORK_URL_FORBIDDEN',
  'not-found': 'IMAGE_URL_NOT_FOUND',
  failed: 'ARTWORK_FETCH_FAILED',
  timeout: 'IMAGE_FETCH_TIMEOUT',
  'too-large': 'ARTWORK_FILE_TOO_LARGE',
} as const satisfies Record<DownloadFault['kind'], ErrorCode>

function notFetched(error: ArtworkNotFetched): ApiError {
  const { fault, frameIndex } = error
  const frame = frameIndex === null ? {} : { frame: frameIndex }
  const code = codesOfDownload[fault.kind]
  if (fault.kind === 'failed') {
    const { reason, status } = fault
    return new ApiError(code, {
      details: { reason, ...(status === undefined ? {} : { status }), ...frame },
      cause: error,
    })
  }
  const hasDetails = fault.kind === 'forbidden' && frameIndex !== null
  return new ApiError(code, { ...(hasDetails ? { details: frame } : {}), cause: error })
}

/** Whether an error is ours to look into. */
export function isDefect({ code }: ApiError): boolean {
  return errorDefinition(code).status === 500
}
