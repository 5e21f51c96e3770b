import type { DashboardCalls } from '../account-budget/dashboard-calls.ts'
import type { DashboardCallGroup } from '../account-budget/limits.ts'
import { DashboardError } from '../errors/dashboard-error.ts'
import { callGroupOf } from './call-groups.ts'
import type { DashboardServices, FindVisitor } from './dashboard-services.ts'

/** Use extends a session up to this age: after that the password is required again. */
const SESSION_AGE_MAX_MS = 30 * 24 * 3600 * 1000

/**
 * Reads the session of a request, and counts the request against its account. A suspended or deleted account
 * has no session, whatever its cookie.
 */
export function buildFindVisitor({
  auth,
  accounts,
  dashboardCalls,
  clock,
}: Pick<DashboardServices, 'auth' | 'accounts' | 'dashboardCalls' | 'clock'>): FindVisitor {
  return async request => {
    const { cookie } = request.headers
    if (cookie === undefined) throw new DashboardError('NOT_SIGNED_IN')
    const found = await auth.api.getSession({ headers: new Headers({ cookie }) })
    if (found === null || clock() - found.session.createdAt.getTime() > SESSION_AGE_MAX_MS)
      throw new DashboardError('NOT_SIGNED_IN')
    const account = await accounts.get(found.user.id)
    if (account === null || account.suspendedAtMs !== null || account.deletedAtMs !== null)
      throw new DashboardError('NOT_SIGNED_IN')
    await countCall(dashboardCalls, account.accountId, callGroupOf(request))
    return {
      account,
      sessionToken: found.session.token,
      emailVerified: found.user.emailVerified,
      twoFactorEnabled: found.user.twoFactorEnabled === true,
    }
  }
}

/** Counts a call of an account. @throws DashboardError if there were too many */
export async function countCall(
  dashboardCalls: DashboardCalls,
  accountId: string,
  group: DashboardCallGroup,
): Promise<void> {
  const retryAfterS = await dashboardCalls.count(accountId, group)
  if (retryAfterS === null) return
  const wait = retryAfterS < 120 ? `${retryAfterS} seconds` : `${Math.ceil(retryAfterS / 60)} minutes`
  throw new DashboardError('TOO_MANY_CALLS', { hint: `Try again in ${wait}.`, retryAfterS })
}
