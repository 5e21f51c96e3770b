/** A failure that the operator can fix: the message is one sentence, printed without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
