import { DashboardError } from '../errors/dashboard-error.ts'

/** Rejects a new password that is among the most common ones. @throws DashboardError */
export async function refuseCommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password)) throw new DashboardError('PASSWORD_COMMON')
}

/** Whether a password is among the fifty thousand most common ones. Case is ignored, as by attackers. */
async function isCommonPassword(password: string): Promise<boolean> {
  // Half a megabyte, needed only for passwords.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary.passwords.includes(password.toLowerCase())
}
