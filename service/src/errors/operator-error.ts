/**
 * A failure that the operator can fix: commands print its message as one sentence, without a stack. Also the
 * base of those that requests answer in other words.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}
