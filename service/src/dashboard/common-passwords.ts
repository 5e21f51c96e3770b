import { dictionary } from '@zxcvbn-ts/language-common'
import { DashboardError } from './dashboard-error.ts'

const common = new Set(dictionary.passwords)

/** For every new password, before anything is done with it. @throws DashboardError */
export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password))
    throw new DashboardError(400, 'PASSWORD_COMMON', 'This password is among the most used ones: choose another.')
}

/** Whether a password is among the fifty thousand that are tried first. Case does not help: guessers vary it too. */
function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase())
}
