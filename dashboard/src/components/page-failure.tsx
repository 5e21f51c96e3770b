/** What a page shows in its own area when it could not be loaded or has failed: the navigation stays. */
import { type ErrorComponentProps, lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { asError } from '../as-error.ts'
import { Button } from './controls.tsx'
import { Failure, Skeleton } from './states.tsx'

/** The code of a page could not be loaded. For the browser's own error the router would reload by itself. */
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
    <>
      <header className="page-head">
        <h1>This page has failed</h1>
      </header>
      <Failure error={asError(error)} onRetry={() => location.reload()} />
    </>
  )
}

const isServiceReachable = (): Promise<boolean> =>
  fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

type Reloading = {
  /** Null until it is known. */
  readonly isReachable: boolean | null
  readonly retry: () => void
}

/** Reloads once the service can be reached: when asked, and by itself when the network is back. */
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

/** Either there is no network, or the service has a newer build, without the code that this one asks for. */
function NotLoaded() {
  const { isReachable, retry } = useReloading()
  if (isReachable === null) return <Skeleton rows={4} />
  const isOffline = !isReachable
  return (
    <>
      <header className="page-head">
        <h1>{isOffline ? 'You are offline' : 'A new version is here'}</h1>
      </header>
      <div className="notice" role="alert">
        <p>
          {isOffline
            ? 'This page could not be loaded. It appears by itself when the network is back.'
            : 'The service was upgraded since you opened these pages. Reload to go on with the new ones.'}
        </p>
        <div className="row">
          <Button look="primary" onClick={retry}>
            {isOffline ? 'Try again' : 'Reload'}
          </Button>
        </div>
      </div>
    </>
  )
}

/** In place of a part of a page whose code did not come. Browsers ask for it again after a reload alone. */
export function PartNotLoaded({ children }: { children: ReactNode }) {
  const { isReachable, retry } = useReloading()
  return (
    <div className="notice" role="alert">
      <p>
        {children}{' '}
        {isReachable === false && 'The service can’t be reached. They appear by themselves when the network is back.'}
      </p>
      <div className="row">
        <Button look="primary" onClick={retry}>
          Try again
        </Button>
      </div>
    </div>
  )
}
