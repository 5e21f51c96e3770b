/** Shown in place of a page that failed or could not be loaded; the navigation stays. */
import { type ErrorComponentProps, lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { asError } from '../as-error.ts'
import { Button } from './controls.tsx'
import { Page } from './page.tsx'
import { Failure, Skeleton } from './states.tsx'

/** A page's code could not be loaded. On the browser's own error, the router would reload by itself. */
class PageNotLoadedError extends Error {
  override readonly name = 'PageNotLoadedError'
}

/** A page whose code is loaded when it is opened. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (cause) {
      throw new PageNotLoadedError('This page could not be loaded.', { cause })
    }
  }, name)
}

export function PageFailure({ error }: ErrorComponentProps) {
  if (error instanceof PageNotLoadedError) return <NotLoaded />
  return (
    <Page title="Something went wrong on this page">
      <Failure error={asError(error)} onRetry={() => location.reload()} />
    </Page>
  )
}

const isServiceReachable = (): Promise<boolean> =>
  fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

type Reloading = {
  /** Null while unknown. */
  readonly isReachable: boolean | null
  readonly retry: () => void
}

/** Reloads once the service is reachable: on request, and automatically when the network is back. */
function useReloading(): Reloading {
  const [isReachable, setReachable] = useState<boolean | null>(null)
  const check = useCallback(async (onReachable: () => void) => {
    if (await isServiceReachable()) onReachable()
    else setReachable(false)
  }, [])
  const retry = useCallback(() => void check(() => location.reload()), [check])
  useEffect(() => {
    void check(() => setReachable(true))
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [check, retry])
  return { isReachable, retry }
}

/** Either the network is down, or a newer build of the service no longer has this page's code. */
function NotLoaded() {
  const { isReachable, retry } = useReloading()
  if (isReachable === null) return <Skeleton rows={4} />
  const isOffline = !isReachable
  return (
    <Page title={isOffline ? 'You are offline' : 'A new version is available'}>
      <div className="notice" role="alert">
        <p>
          {isOffline
            ? 'This page could not be loaded. It will load once the network is back.'
            : 'The service was upgraded after you opened this page. Reload to use the new version.'}
        </p>
        <div className="row">
          <Button look="primary" onClick={retry}>
            {isOffline ? 'Try again' : 'Reload'}
          </Button>
        </div>
      </div>
    </Page>
  )
}

/** Shown in place of a part whose code could not be loaded. Browsers request it again only after a reload. */
export function PartNotLoaded({ children }: { children: ReactNode }) {
  const { isReachable, retry } = useReloading()
  return (
    <div className="notice" role="alert">
      <p>
        {children}{' '}
        {isReachable === false && 'The service can’t be reached. The page will reload once the network is back.'}
      </p>
      <div className="row">
        <Button look="primary" onClick={retry}>
          Try again
        </Button>
      </div>
    </div>
  )
}
