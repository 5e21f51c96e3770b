import { BundleError } from '@vitrine/engine/bundle'
import { isDiskFull } from '../errors/disk-full-error.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { SettingsError } from '../settings/load-settings.ts'
import { describeFaults } from './template-commands.ts'

/** Explains an error to the operator in one sentence. Null for a defect, whose stack is printed instead. */
export function explainError(error: unknown): string | null {
  if (error instanceof BundleError) {
    return ['The bundle cannot be used:', ...describeFaults(error.faults)].join('\n  ')
  }
  if (isDiskFull(error)) return 'There is no room on the disk.'
  // Its message already quotes values.
  if (error instanceof SettingsError) return error.problems.join('\n')
  if (!(error instanceof Error)) return null
  // A failed system call on a named file is not a defect.
  const isExplained = 'syscall' in error || error instanceof OperatorError
  return isExplained ? asSentence(error.message) : null
}

function asSentence(message: string): string {
  // Given names and values may contain control characters, but a sentence is one line.
  const line = message.replaceAll(/\p{Cc}/gu, each => JSON.stringify(each).slice(1, -1))
  const sentence = line.charAt(0).toUpperCase() + line.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
