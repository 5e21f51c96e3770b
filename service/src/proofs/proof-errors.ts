/** The account has the maximum number of active links. */
export class ProofQuotaReachedError extends Error {
  override readonly name = 'ProofQuotaReachedError'
}

/** The link has the maximum number of answers or attached files. */
export class ProofFullError extends Error {
  override readonly name = 'ProofFullError'
}

/** A file that exceeds the size limit of artwork. */
export class SharedFileTooLargeError extends Error {
  override readonly name = 'SharedFileTooLargeError'
}

/** A file that is not a picture, or differs from the announced one. */
export class SharedFileRefusedError extends Error {
  override readonly name = 'SharedFileRefusedError'
}

/** A reference to a scene that is not part of the link. */
export class ForeignSceneError extends Error {
  override readonly name = 'ForeignSceneError'
}
