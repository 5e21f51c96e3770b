import { OperatorError } from '../errors/operator-error.ts'

/** The id belongs to a shared template, or once did. Ids of other accounts do not matter. */
export class TemplateIdTakenError extends OperatorError {
  override readonly name = 'TemplateIdTakenError'
}

/** The owner already has the maximum number of templates. */
export class TemplateQuotaReachedError extends Error {
  override readonly name = 'TemplateQuotaReachedError'
}

/** The owner's templates would exceed their storage quota. The message has the figures. */
export class TemplateStorageFullError extends Error {
  override readonly name = 'TemplateStorageFullError'
}
