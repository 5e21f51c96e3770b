import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AuditAction, auditActionSchema, auditListSchema } from '@vitrine/contract'
import { get } from '../api.ts'

/** The action named in the address; undefined for an unknown value. */
export const auditActionOf = (value: unknown): AuditAction | undefined => auditActionSchema.safeParse(value).data

/** One page of the audit log, of one account or action if given. */
export function auditQuery(query: { page: number; email: string; action: AuditAction | undefined }) {
  const { page, email, action } = query
  const parameters = new URLSearchParams({
    page: String(page),
    ...(email === '' ? {} : { email }),
    ...(action === undefined ? {} : { action }),
  })
  return queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => get(`/dashboard/api/audit?${parameters}`, auditListSchema, signal),
    placeholderData: keepPreviousData,
  })
}

/** One page of the signed-in account's own events. */
export function ownEventsQuery(page: number) {
  return queryOptions({
    queryKey: ['account-events', page],
    queryFn: ({ signal }) => get(`/dashboard/api/account/events?page=${page}`, auditListSchema, signal),
    placeholderData: keepPreviousData,
  })
}
