/**
 * The wall, whose script comes after the page's first load. Not by `lazy`: React shows what replaces a
 * `Suspense` for 300 ms at least, and what was dropped would wait for that.
 */
import { type ComponentProps, useEffect, useSyncExternalStore } from 'react'
import { GallerySkeleton } from '../components/gallery-skeleton.tsx'
import { PartNotLoaded } from '../components/page-failure.tsx'
import type { Wall } from './wall.tsx'

class WallScript {
  #wall: typeof Wall | 'loading' | 'failed' | null = null
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Null before anybody asked for it. */
  readonly read = (): typeof Wall | 'loading' | 'failed' | null => this.#wall

  /** Once: browsers keep the failure of a script until the page is reloaded. */
  load(): void {
    if (this.#wall !== null) return
    this.#wall = 'loading'
    import('./wall.tsx').then(
      ({ Wall }) => this.#set(Wall),
      () => this.#set('failed'),
    )
  }

  #set(wall: typeof Wall | 'failed'): void {
    this.#wall = wall
    for (const listener of this.#listeners) listener()
  }
}

const script = new WallScript()

/** Loads it before it is shown. */
export const loadWallScript = (): void => script.load()

export function WallLater(props: ComponentProps<typeof Wall>) {
  const Loaded = useSyncExternalStore(script.subscribe, script.read)
  useEffect(() => script.load(), [])
  if (Loaded === null || Loaded === 'loading') return <GallerySkeleton />
  if (Loaded !== 'failed') return <Loaded {...props} />
  return (
    <PartNotLoaded>
      The scenes with your artwork could not be loaded. Your artworks, picks and placements are saved.
    </PartNotLoaded>
  )
}
