/**
 * The wall, whose script comes after the page's first load. Not by `lazy`: React shows what replaces a
 * `Suspense` for 300 ms at the least, and what was dropped would wait for that.
 */
import { type ComponentProps, useEffect, useSyncExternalStore } from 'react'
import { asError } from '../as-error.ts'
import { GallerySkeleton } from '../components/gallery-skeleton.tsx'
import type { Wall } from './wall.tsx'

class WallScript {
  #wall: typeof Wall | null = null
  #failure: Error | null = null
  #isLoading = false
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Null while it is loading. Throws what loading it threw. */
  readonly read = (): typeof Wall | null => {
    if (this.#failure !== null) throw this.#failure
    return this.#wall
  }

  /** Once. After a failure it is tried again when a page that shows scenes is opened. */
  load(): void {
    if (this.#isLoading || this.#wall !== null) return
    this.#isLoading = true
    import('./wall.tsx')
      .then(
        ({ Wall }) => {
          this.#wall = Wall
          this.#failure = null
        },
        (failure: unknown) => {
          this.#failure = asError(failure)
        },
      )
      .finally(() => {
        this.#isLoading = false
        for (const listener of this.#listeners) listener()
      })
      .catch(() => undefined)
  }
}

const script = new WallScript()

/** Loads it before it is shown. */
export const loadWallScript = (): void => script.load()

export function WallLater(props: ComponentProps<typeof Wall>) {
  const Loaded = useSyncExternalStore(script.subscribe, script.read)
  useEffect(() => script.load(), [])
  return Loaded === null ? <GallerySkeleton /> : <Loaded {...props} />
}
