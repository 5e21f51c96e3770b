import { DashboardError } from '../errors/dashboard-error.ts'

/** Refuses a new password that is among the most used ones. @throws DashboardError */
export async function refuseCommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password)) throw new DashboardError('PASSWORD_COMMON')
}

/** Whether a password is among the fifty thousand most used ones. Case is ignored: guessers vary it too. */
async function isCommonPassword(password: string): Promise<boolean> {
  // Half a megabyte, for passwords alone.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary.passwords.includes(password.toLowerCase())
}
