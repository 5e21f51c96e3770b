/** The id belongs to a shared template, or did once. Ids of other accounts are not in the way. */
export class TemplateIdTakenError extends Error {
  override readonly name = 'TemplateIdTakenError'
}

/** Its owner has as many templates as it may have. */
export class TemplateQuotaReachedError extends Error {
  override readonly name = 'TemplateQuotaReachedError'
}

/** Its owner's templates would take more storage than they may. The message has the figures. */
export class TemplateStorageFullError extends Error {
  override readonly name = 'TemplateStorageFullError'
}
