import { type ErrorCode, errorDefinition } from '@vitrine/contract'
import { DownloadError, type DownloadFault } from '../artwork-download/download-error.ts'
import { ArtworkRejected, RenderBusy, RenderFailed } from '../mockups/render-errors.ts'
import { ApiError } from './api-error.ts'

/** 503 with the whole seconds until it is worth trying again. */
export function serverBusy(retryAfterS: number, cause?: unknown): ApiError {
  return new ApiError('SERVER_BUSY', { headers: { 'Retry-After': String(retryAfterS) }, cause })
}

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
  if (error instanceof DownloadError) return downloadFailed(error.fault, error)
  if (error instanceof ArtworkRejected) return artworkRejected(error)
  if (error instanceof RenderBusy) return serverBusy(error.retryAfterS, error)
  if (error instanceof RenderFailed) return new ApiError('MOCKUP_GENERATION_FAILED', { cause: error })
  const code = codesOfTransport[systemCodeOf(error)]
  if (code !== undefined) return new ApiError(code, { cause: error })
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

const codesOfDownload = {
  forbidden: 'ARTWORK_URL_FORBIDDEN',
  'not-found': 'IMAGE_URL_NOT_FOUND',
  timeout: 'IMAGE_FETCH_TIMEOUT',
  'too-large': 'ARTWORK_FILE_TOO_LARGE',
} as const

function downloadFailed(fault: DownloadFault, cause: unknown): ApiError {
  if (fault.kind !== 'failed') return new ApiError(codesOfDownload[fault.kind], { cause })
  const { reason, status } = fault
  return new ApiError('ARTWORK_FETCH_FAILED', {
    details: { reason, ...(status === undefined ? {} : { status }) },
    cause,
  })
}

/** Whether an error is ours to look into. */
export function isDefect({ code }: ApiError): boolean {
  return errorDefinition(code).status === 500
}
