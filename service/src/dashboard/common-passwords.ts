import { dictionary } from '@zxcvbn-ts/language-common'
import { DashboardError } from './dashboard-error.ts'

const common = new Set(dictionary.passwords)

/** Refuses a new password that is among the most used ones. @throws DashboardError */
export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password)) throw new DashboardError('PASSWORD_COMMON')
}

/** Whether a password is among the fifty thousand most used ones. Case is ignored: guessers vary it too. */
function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase())
}
