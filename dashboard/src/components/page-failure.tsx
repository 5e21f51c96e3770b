/** What a page shows in its own area when it could not be loaded or has failed: the navigation stays. */
import { type ErrorComponentProps, lazyRouteComponent } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
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

/** Either there is no network, or the service has a newer build, without the code that this one asks for. */
function NotLoaded() {
  const [state, setState] = useState<'asking' | 'offline' | 'replaced'>('asking')
  const check = useCallback(async (onReachable: () => void) => {
    if (await isServiceReachable()) onReachable()
    else setState('offline')
  }, [])
  const retry = useCallback(() => void check(() => location.reload()), [check])
  useEffect(() => {
    void check(() => setState('replaced'))
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [check, retry])
  if (state === 'asking') return <Skeleton rows={4} />
  const isOffline = state === 'offline'
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
