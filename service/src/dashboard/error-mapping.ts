import { dashboardErrorCatalogue } from '@vitrine/contract'
import { BundleError, describeFault } from '@vitrine/engine/bundle'
import { counted } from '@vitrine/engine/counted'
import { APIError } from 'better-auth/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { EmailTakenError, InvalidEmailError } from '../accounts/accounts.ts'
import { InvalidKeyLimitError, InvalidKeyNameError } from '../api-keys/key-limits.ts'
import { DashboardError } from '../errors/dashboard-error.ts'
import { isDiskFull } from '../errors/disk-full-error.ts'
import { ApiError } from '../http/api-error.ts'
import { isClientGone } from '../http/error-answers.ts'
import { operationalRetryS } from '../http/error-mapping.ts'
import {
  ForeignSceneError,
  ProofFullError,
  ProofQuotaReachedError,
  SharedFileRefusedError,
  SharedFileTooLargeError,
} from '../proofs/proof-errors.ts'
import { PsdImportsFullError, TooManyPsdImportsError } from '../psd-import/psd-import-store.ts'
import { PsdImportStateError } from '../psd-import/psd-imports.ts'
import { InvalidPublishableKeyError } from '../publishable-keys/publishable-keys.ts'
import { SlowBodyError } from '../received-bytes/body-reader.ts'
import { HashingBusyError } from '../sign-in/password-hasher.ts'
import { ImportsBusyError } from '../templates/import-queue.ts'
import { BundleTooCostlyError, BundleUnreadableError } from '../templates/inspect-bundle.ts'
import {
  TemplateIdTakenError,
  TemplateQuotaReachedError,
  TemplateStorageFullError,
} from '../templates/template-errors.ts'
import { TemplateMarksFullError } from '../templates/template-marks.ts'

/** The most faults of a bundle that an answer lists. */
const FAULTS_SHOWN = 100

type Translation = {
  /** The name of the class. */
  readonly errorName: string
  /** Null for an error of another class. */
  readonly refusalOf: (error: unknown) => DashboardError | null
}

/** Translates the errors of one class. */
function translate<Expected extends Error>(
  expected: new (...parameters: never[]) => Expected,
  refusal: (error: Expected) => DashboardError,
): Translation {
  return {
    errorName: expected.name,
    refusalOf: error => (error instanceof expected ? refusal(error) : null),
  }
}

/**
 * Translates errors thrown by other modules and libraries to refusals of the catalogue. A test finds every
 * error class, and requires a line here or a reason why it needs none.
 */
export const translations: readonly Translation[] = [
  translate(DashboardError, error => error),
  translate(EmailTakenError, cause => new DashboardError('EMAIL_TAKEN', { cause })),
  translate(InvalidEmailError, cause => new DashboardError('INVALID_EMAIL', { message: cause.message, cause })),
  translate(InvalidKeyNameError, cause => new DashboardError('INVALID_FIELD', { message: cause.message, cause })),
  translate(InvalidKeyLimitError, cause => new DashboardError('INVALID_FIELD', { message: cause.message, cause })),
  translate(
    InvalidPublishableKeyError,
    cause => new DashboardError('INVALID_FIELD', { message: cause.message, cause }),
  ),
  translate(HashingBusyError, cause => new DashboardError('BUSY', { cause })),
  translate(ProofQuotaReachedError, cause => new DashboardError('PROOF_QUOTA', { message: cause.message, cause })),
  translate(ProofFullError, cause => new DashboardError('PROOF_FULL', { message: cause.message, cause })),
  translate(ForeignSceneError, cause => new DashboardError('INVALID_FIELD', { message: cause.message, cause })),
  translate(SharedFileRefusedError, cause => new DashboardError('NOT_A_PICTURE', { message: cause.message, cause })),
  translate(SharedFileTooLargeError, cause => new DashboardError('TOO_LARGE', { message: cause.message, cause })),
  translate(TemplateQuotaReachedError, cause => new DashboardError('TEMPLATE_QUOTA', { cause })),
  translate(
    TemplateStorageFullError,
    cause => new DashboardError('TEMPLATE_STORAGE_FULL', { message: cause.message, cause }),
  ),
  translate(
    BundleTooCostlyError,
    cause => new DashboardError('TEMPLATE_TOO_COSTLY', { message: cause.message, cause }),
  ),
  translate(ImportsBusyError, cause => {
    const hint = `Try again in ${cause.retryAfterS} seconds.`
    return new DashboardError('BUSY', { message: cause.message, hint, retryAfterS: cause.retryAfterS, cause })
  }),
  translate(TooManyPsdImportsError, cause => new DashboardError('TOO_MANY_PSD_IMPORTS', { cause })),
  translate(PsdImportStateError, cause => new DashboardError('PSD_IMPORT_STATE', { cause })),
  translate(PsdImportsFullError, cause => {
    const message = 'This service holds as many Photoshop files as it may.'
    return new DashboardError('BUSY', { message, hint: 'Try again in an hour.', cause })
  }),
  translate(TemplateMarksFullError, cause => new DashboardError('TEMPLATE_MARKS_FULL', { cause })),
  translate(TemplateIdTakenError, cause => new DashboardError('TEMPLATE_ID_TAKEN', { message: cause.message, cause })),
  translate(BundleUnreadableError, cause => new DashboardError('INVALID_TEMPLATE', { cause })),
  translate(BundleError, cause => {
    const faults = cause.faults.filter(fault => fault.severity === 'error')
    return new DashboardError('INVALID_TEMPLATE', {
      message: `This bundle has ${counted(faults.length, 'fault')}.`,
      hint: 'Nothing was imported.',
      faults: faults.slice(0, FAULTS_SHOWN).map(describeFault),
      cause,
    })
  }),
  translate(SlowBodyError, cause => new DashboardError('REQUEST_TIMEOUT', { cause })),
  translate(ZodError, cause => {
    const [issue] = cause.issues
    const message = `${issue?.path.join('.') ?? 'The request'}: ${issue?.message ?? 'is not as expected'}.`
    return new DashboardError('INVALID_FIELD', { message, cause })
  }),
]

/** Answers an error of any layer. An unexpected error is a defect: it is logged and its text is not sent. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isClientGone(error, request)) {
    reply.raw.destroy()
    return reply
  }
  // Refused before the dashboard's own steps: the common handler answers it.
  if (error instanceof ApiError) throw error
  for (const translation of translations) {
    const refusal = translation.refusalOf(error)
    if (refusal !== null) return send(reply, refusal)
  }
  const retryAfterS = operationalRetryS(error)
  if (retryAfterS !== null) {
    request.log.warn({ err: error }, 'a request of the dashboard was refused')
    return send(reply, cannotNow(retryAfterS, error))
  }
  // The sign-in library has codes and statuses of its own.
  if (error instanceof APIError && error.statusCode < 500) {
    const { message = 'This was refused.', code = 'REFUSED' } = error.body ?? {}
    return reply.code(error.statusCode).send({ error: message, code })
  }
  const status = clientErrorStatusOf(error)
  if (status !== null) return send(reply, new DashboardError('MALFORMED_REQUEST'), status)
  request.log.error({ err: error }, 'a request of the dashboard failed')
  return send(reply, new DashboardError('INTERNAL_ERROR'))
}

/** The answer while the disk, the database or the object storage is unavailable. */
export function cannotNow(retryAfterS: number, cause: unknown): DashboardError {
  const message = isDiskFull(cause) ? 'This service has no room on its disk now.' : 'This service cannot do that now.'
  return new DashboardError('BUSY', { message, hint: `Try again in ${retryAfterS} seconds.`, retryAfterS, cause })
}

function send(
  reply: FastifyReply,
  { code, message, hint, faults, retryAfterS }: DashboardError,
  status: number = dashboardErrorCatalogue[code].status,
): FastifyReply {
  if (retryAfterS !== undefined) reply.header('Retry-After', String(retryAfterS))
  return reply.code(status).send({
    error: message,
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(faults.length === 0 ? {} : { details: { faults } }),
  })
}

/** The 4xx status that Fastify gives an error, or null. */
function clientErrorStatusOf(error: unknown): number | null {
  if (!(error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number')) return null
  return error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : null
}
