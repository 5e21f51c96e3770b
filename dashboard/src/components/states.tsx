/** The states of lists and pages without content: loading, error, empty. */
import './states.css'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { ApiError, isSessionEnded } from '../api.ts'
import { Button, ButtonLink, CopyButton } from './controls.tsx'

/** Placeholder rows of the final shape. */
export function Skeleton({ rows = 3, height = 44 }: { rows?: number; height?: number }) {
  return (
    <div aria-busy="true" aria-label="Loading" role="status" className="skeleton">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ height }} />
      ))}
    </div>
  )
}

/** What happened, what to do, and the request id for support. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null
  const hint = error instanceof ApiError ? error.hint : undefined
  const faults = error instanceof ApiError ? error.faults : []
  return (
    <div role="alert" className="notice notice-danger">
      <p>
        <strong>{error.message}</strong> {hint}
      </p>
      {faults.length > 0 && (
        <ul className="faults">
          {faults.map(fault => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <div className="row">
        {isSessionEnded(error) && (
          <ButtonLink to="/sign-in" search={{ to: location.pathname + location.search }}>
            Sign in
          </ButtonLink>
        )}
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
        {requestId !== null && (
          <span className="quiet">
            Request <code>{requestId}</code> <CopyButton text={requestId} what="the request id" />
          </span>
        )}
      </div>
    </div>
  )
}

type LoadingProps = ComponentProps<typeof Skeleton> & {
  query: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>
}

/** Placeholder rows while a query is pending, or its failure. */
export function Loading({ query, ...skeleton }: LoadingProps) {
  if (query.error !== null) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return query.isPending ? <Skeleton {...skeleton} /> : null
}

export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
