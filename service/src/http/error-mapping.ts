import type { ErrorCode } from '@vitrine/contract'
import { BudgetExhaustedError } from '../account-budget/budget-exhausted-error.ts'
import type { DownloadFault } from '../artwork-download/download-error.ts'
import { classifyDatabaseError, type DatabaseErrorKind } from '../database/database-error.ts'
import { isDiskFull } from '../errors/disk-full-error.ts'
import type { FrameKey } from '../mockups/frame-key.ts'
import { type FailureKind, GenerationError, type GenerationFailure } from '../mockups/generation-error.ts'
import { SlowBodyError } from '../received-bytes/body-reader.ts'
import { StorageUnavailableError } from '../storage/object-storage.ts'
import { ImportsBusyError } from '../templates/import-queue.ts'
import { ApiError, type ApiErrorOptions } from './api-error.ts'
import { NAMED_FRAMES_MAX } from './limits.ts'
import { shown } from './received-value.ts'

const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) })

/** 503 with a Retry-After in whole seconds. */
export function serverBusy(retryAfterS: number, cause?: unknown): ApiError {
  return new ApiError('SERVER_BUSY', { headers: retryAfter(retryAfterS), cause })
}

const DATABASE_RETRY_S = 2
const STORAGE_RETRY_S = 5
/** The operator must free space, or uploads must end. */
const DISK_RETRY_S = 30

type Answer = { readonly code: ErrorCode } & Omit<ApiErrorOptions, 'cause'>

/** Maps each kind of generation failure to its answer. */
const generationAnswers: { readonly [Kind in FailureKind]: (failure: GenerationFailure<Kind>) => Answer } = {
  'templates-not-found': ({ missingTemplateIds }) => ({
    code: 'TEMPLATE_NOT_FOUND',
    hint: missingTemplateIds.some(id => id !== id.trim())
      ? 'Send the id without the blanks and line breaks around it.'
      : undefined,
    details: { missing_template_ids: missingTemplateIds.map(shown) },
  }),
  'frames-without-artwork': ({ missingFrames }) => ({
    code: 'MISSING_ARTWORK',
    message: 'Expected artwork for every frame of every template but some have none.',
    hint: 'Frame indices start at 0; name each one.',
    details: { missing_frames: missingFrames.map(({ templateId, frames }) => ({ template_id: templateId, frames })) },
  }),
  'unknown-frames': ({ what, keys, frameCount, slots }) => ({
    code: 'INVALID_FRAME_INDEX',
    ...(what === 'artwork' ? {} : { message: 'A placement is given for a frame that no requested template has.' }),
    details: {
      invalid_frames: keys.slice(0, NAMED_FRAMES_MAX).map(shown),
      frame_count: frameCount,
      ...(slots.length === 0 ? {} : { slots }),
    },
  }),
  'unknown-colors': ({ unknown: [first = ''], known }) => ({
    code: 'INVALID_PARAMETER',
    message: `Expected ${known.length === 0 ? 'no colors, because the template has no colour areas,' : `the colour areas ${known.join(', ')} for colors`} but received ${JSON.stringify(shown(first))}.`,
    details: { parameter: 'colors', received: shown(first), allowed: known },
  }),
  'insufficient-credits': ({ requiredCredits, spendableCredits }) => ({
    code: 'INSUFFICIENT_CREDITS',
    details: { required_cents: requiredCredits, balance_cents: spendableCredits },
  }),
  'artwork-not-fetched': ({ fault, frame }) => answerToDownload(fault, frameDetail(frame)),
  'artwork-rejected': ({ reason, message, hint, frame }) => ({
    code: 'INVALID_ARTWORK',
    message,
    hint,
    details: { reason, ...frameDetail(frame) },
  }),
  'idempotency-conflict': () => ({ code: 'IDEMPOTENCY_CONFLICT', headers: retryAfter(1) }),
  'idempotency-mismatch': () => ({ code: 'IDEMPOTENCY_MISMATCH' }),
  busy: ({ retryAfterS }) => ({ code: 'SERVER_BUSY', headers: retryAfter(retryAfterS) }),
  'render-failed': () => ({ code: 'MOCKUP_GENERATION_FAILED' }),
}

type FrameDetail = { readonly frame?: FrameKey }

const frameDetail = (frame: FrameKey | null): FrameDetail => (frame === null ? {} : { frame })

const downloadCodes = {
  forbidden: 'ARTWORK_URL_FORBIDDEN',
  'port-forbidden': 'ARTWORK_URL_FORBIDDEN',
  'not-found': 'IMAGE_URL_NOT_FOUND',
  failed: 'ARTWORK_FETCH_FAILED',
  timeout: 'IMAGE_FETCH_TIMEOUT',
  'too-large': 'ARTWORK_FILE_TOO_LARGE',
  'budget-spent': 'SERVER_BUSY',
} as const satisfies Record<DownloadFault['kind'], ErrorCode>

/** Errors of Fastify and Node that are the client's fault. */
const transportCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_REQUEST',
  FST_ERR_BAD_URL: 'MALFORMED_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'REQUEST_HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'MALFORMED_REQUEST',
}

/** Whether a later request may succeed. Transactions have already been retried. */
const isDatabaseRetryable = {
  busy: true,
  unavailable: true,
  conflict: false,
  unique: false,
  'foreign-key': false,
  check: false,
  other: false,
} satisfies Record<DatabaseErrorKind, boolean>

/** The `code` of an error of Node or Fastify. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Retry-After in seconds for a failure outside the service; null for any other error. */
export function operationalRetryS(error: unknown): number | null {
  if (isDatabaseRetryable[classifyDatabaseError(error)]) return DATABASE_RETRY_S
  if (error instanceof StorageUnavailableError) return STORAGE_RETRY_S
  return isDiskFull(error) ? DISK_RETRY_S : null
}

/** Maps any error to its answer. An unexpected one is a defect: INTERNAL_ERROR, without its text. */
export function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof GenerationError) {
    const answer = answerToFailure(error.failure)
    return new ApiError(answer.code, { ...answer, cause: error })
  }
  if (error instanceof BudgetExhaustedError || error instanceof ImportsBusyError)
    return serverBusy(error.retryAfterS, error)
  const code = transportCodes[systemCodeOf(error)]
  if (code !== undefined) return new ApiError(code, { cause: error })
  if (error instanceof SlowBodyError) return new ApiError('REQUEST_TIMEOUT', { cause: error })
  const retryS = operationalRetryS(error)
  if (retryS !== null) return serverBusy(retryS, error)
  return new ApiError('INTERNAL_ERROR', { details: { request_id: requestId }, cause: error })
}

function answerToFailure<Kind extends FailureKind>(failure: GenerationFailure<Kind>): Answer {
  return generationAnswers[failure.kind](failure)
}

function answerToDownload(fault: DownloadFault, frame: FrameDetail): Answer {
  const code = downloadCodes[fault.kind]
  const details = frame.frame === undefined ? {} : { details: frame }
  switch (fault.kind) {
    case 'failed': {
      const { reason, status } = fault
      return { code, details: { reason, ...(status === undefined ? {} : { status }), ...frame } }
    }
    case 'forbidden':
      return { code, ...details }
    case 'port-forbidden': {
      const allowed = fault.allowedPorts.join(' or ')
      return {
        code,
        message: `Expected an artwork URL with port ${allowed} but received one with port ${fault.port}.`,
        hint: 'No other port is connected to, behind redirects neither.',
        ...details,
      }
    }
    case 'budget-spent':
      return {
        code,
        message: 'Too much was downloaded for requests of this account that failed.',
        hint: 'Nothing was charged. Try again after the seconds of the Retry-After header, or upload the artwork.',
        headers: retryAfter(fault.retryAfterS),
      }
    default:
      return { code }
  }
}
