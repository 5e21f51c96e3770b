/** The account has as many links that work as it may have. */
export class ProofQuotaReachedError extends Error {
  override readonly name = 'ProofQuotaReachedError'
}

/** The link has as many answers, or files with answers, as it may have. */
export class ProofFullError extends Error {
  override readonly name = 'ProofFullError'
}

/** A file that is larger than an artwork may be. */
export class SharedFileTooLargeError extends Error {
  override readonly name = 'SharedFileTooLargeError'
}

/** A file that is no picture, or another one than was announced. */
export class SharedFileRefusedError extends Error {
  override readonly name = 'SharedFileRefusedError'
}

/** Something that names what the link does not show. */
export class ForeignSceneError extends Error {
  override readonly name = 'ForeignSceneError'
}
