import { dictionary } from '@zxcvbn-ts/language-common'

const common = new Set(dictionary.passwords)

/** Whether a password is among the fifty thousand that are tried first. Case does not help: guessers vary it too. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase())
}
