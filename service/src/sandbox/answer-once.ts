import { isDiskFull } from '../errors/disk-full-error.ts'
import type { BrokenOff } from './broken-off.ts'
import { saveCompiledCode } from './compiled-code.ts'

/** Stacks of defects are truncated: they may quote data. */
const MAX_MESSAGE_LENGTH = 2000

/**
 * The main function of a program started by `askOnce`: answers the service's single message and exits. Only
 * the service has the other end of the channel, so its message is trusted.
 *
 * @param refusalOf the answer to an error that blames the given file; null for others
 */
export function answerOnce<Answer extends object>(
  answer: (request: never) => Promise<Answer>,
  refusalOf: (error: unknown) => Answer | null = () => null,
): void {
  // The decoder's library is loaded and no other is needed. Node enforces this below JavaScript.
  process.permission.drop('addon')
  saveCompiledCode()
  process.once('disconnect', () => process.exit())
  process.once('message', request => {
    // The program knows the type of its own requests.
    answer(request as never)
      .catch((error: unknown) => refusalOf(error) ?? brokenOff(error))
      .then(message => process.send?.(message, () => process.exit()))
      .catch(() => process.exit(1))
  })
}

function brokenOff(error: unknown): BrokenOff {
  if (isDiskFull(error)) return { kind: 'disk-full' }
  const message = String(error instanceof Error ? error.stack : error).slice(0, MAX_MESSAGE_LENGTH)
  return /allocat|out of memory/i.test(message) ? { kind: 'out-of-memory' } : { kind: 'failed', message }
}
