/** What stops a command for a reason that its caller can mend: the message is one sentence for them, without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
