import { DashboardError } from './dashboard-error.ts'
import type { DashboardServices, FindVisitor } from './dashboard-services.ts'

/** Use prolongs a session, but not beyond this: then the password is asked for again. */
const SESSION_AGE_MAX_MS = 30 * 24 * 3600 * 1000

/** Reads the session of a request. A suspended or deleted account has none, whatever its cookie says. */
export function buildFindVisitor({
  auth,
  accounts,
  clock,
}: Pick<DashboardServices, 'auth' | 'accounts' | 'clock'>): FindVisitor {
  return async request => {
    const { cookie } = request.headers
    if (cookie === undefined) throw new DashboardError('NOT_SIGNED_IN')
    const found = await auth.api.getSession({ headers: new Headers({ cookie }) })
    if (found === null || clock() - found.session.createdAt.getTime() > SESSION_AGE_MAX_MS)
      throw new DashboardError('NOT_SIGNED_IN')
    const account = await accounts.get(found.user.id)
    if (account === null || account.suspendedAtMs !== null || account.deletedAtMs !== null)
      throw new DashboardError('NOT_SIGNED_IN')
    return {
      account,
      sessionToken: found.session.token,
      emailVerified: found.user.emailVerified,
      twoFactorEnabled: found.user.twoFactorEnabled === true,
    }
  }
}
