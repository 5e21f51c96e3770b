/**
 * The gallery, whose script comes after the page's first load. Not by `lazy`: React shows what replaces a
 * `Suspense` for 300 ms at least, and what was dropped would wait for that.
 */
import { type ComponentProps, useEffect, useSyncExternalStore } from 'react'
import { GallerySkeleton } from '../components/gallery-skeleton.tsx'
import { PartNotLoaded } from '../components/page-failure.tsx'
import type { Gallery } from './gallery.tsx'

class GalleryScript {
  #gallery: typeof Gallery | 'loading' | 'failed' | null = null
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Null before anybody asked for it. */
  readonly read = (): typeof Gallery | 'loading' | 'failed' | null => this.#gallery

  /** Once: browsers keep the failure of a script until the page is reloaded. */
  load(): void {
    if (this.#gallery !== null) return
    this.#gallery = 'loading'
    import('./gallery.tsx').then(
      ({ Gallery }) => this.#set(Gallery),
      () => this.#set('failed'),
    )
  }

  #set(gallery: typeof Gallery | 'failed'): void {
    this.#gallery = gallery
    for (const listener of this.#listeners) listener()
  }
}

const script = new GalleryScript()

/** Loads it before it is shown. */
export const loadGalleryScript = (): void => script.load()

export function GalleryLater(props: ComponentProps<typeof Gallery>) {
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
