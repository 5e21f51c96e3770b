import {
  errorCodes,
  errorDefinition,
  type RequestList,
  type RequestPeriod,
  requestOutcomeSchema,
  requestPeriodSchema,
} from '@vitrine/contract'
import { z } from 'zod'
import { DashboardError } from '../../errors/dashboard-error.ts'
import type { ListedRequest, RequestLog, RequestPlace } from '../../usage/request-log.ts'
import { isOperator, type RegisterRoutes } from '../dashboard-services.ts'
import { DASHBOARD_KEY, isoOf } from '../resources.ts'

const PAGE_SIZE = 50
const HOUR_MS = 3_600_000
const periodsMs: Readonly<Record<RequestPeriod, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
}

const requestsQuery = z.object({
  after: z.string().max(64).optional(),
  key: z.string().max(64).optional(),
  outcome: requestOutcomeSchema.optional(),
  period: requestPeriodSchema.optional(),
  code: z.string().max(64).optional(),
  template: z.string().max(100).optional(),
  id: z.string().max(64).optional(),
})

const ofAllAccounts = z.object({ accounts: z.literal('all').optional() })

/** The requests of the signed-in account, whatever their outcome, or for operators of every account. */
export const registerRequestRoutes: RegisterRoutes = (app, { requestLog }, findVisitor) => {
  app.get('/dashboard/api/requests', async (request): Promise<RequestList> => {
    const visitor = await findVisitor(request)
    const { accounts } = ofAllAccounts.parse(request.query)
    if (accounts === undefined) return readRequests(requestLog, visitor.account.accountId, request.query)
    if (!isOperator(visitor)) throw new DashboardError('NOT_ALLOWED')
    return readRequests(requestLog, undefined, request.query)
  })
}

/** One page of the requests of an account, or of all accounts. @throws DashboardError */
export async function readRequests(
  requestLog: RequestLog,
  accountId: string | undefined,
  query: unknown,
): Promise<RequestList> {
  const { after, key, outcome, period, code, template, id } = requestsQuery.parse(query)
  const filter = {
    accountId,
    ...(key === undefined ? {} : { keyId: key === DASHBOARD_KEY ? null : withoutZero(key) }),
    outcome,
    sinceMs: period === undefined ? undefined : Date.now() - periodsMs[period],
    code: withoutZero(code),
    templateId: withoutZero(template),
    requestId: withoutZero(id),
  }
  const found = await requestLog.list(filter, { after: after === undefined ? null : placeOf(after), limit: PAGE_SIZE })
  return {
    requests: found.requests.map(shownRequest),
    next_after: found.next === null ? null : `${found.next.atMs}.${found.next.requestId}`,
  }
}

/** PostgreSQL rejects a zero byte, and no stored value contains one. */
function withoutZero<Text extends string | undefined>(text: Text): Text | string {
  return text?.includes('\0') === true ? '-' : text
}

/** @throws DashboardError */
function placeOf(after: string): RequestPlace {
  const [, at, requestId] = /^(\d{1,15})\.(\w{1,40})$/.exec(after) ?? []
  if (at !== undefined && requestId !== undefined) return { atMs: Number(at), requestId }
  throw new DashboardError('INVALID_FIELD', {
    message: 'Expected the next_after of a list of requests for after but received another text.',
  })
}

function shownRequest(request: ListedRequest): RequestList['requests'][number] {
  const { code } = request
  const known = errorCodes.find(each => each === code)
  const hasClientLeft = request.status === 499
  return {
    id: request.requestId,
    account: request.accountEmail === undefined ? null : { id: request.accountId, email: request.accountEmail },
    at: isoOf(request.atMs),
    endpoint: request.endpoint,
    key_id: request.keyId,
    key_name: request.keyName,
    template_ids: [...request.templateIds],
    status: request.status,
    code,
    reason: request.reason ?? (hasClientLeft ? 'The client closed the connection before the answer began.' : null),
    hint: known === undefined ? null : (errorDefinition(known).hint ?? null),
    duration_ms: request.durationMs,
    credits: request.credits,
    replayed: request.isReplayed,
  }
}
