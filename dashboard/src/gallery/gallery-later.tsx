/**
 * Loads the gallery's script after the first page load. Not by `lazy`: React delays replacing a `Suspense`
 * fallback by 300 ms, and dropped artwork would wait for it.
 */
import { type ComponentProps, useEffect, useSyncExternalStore } from 'react'
import { GallerySkeleton } from '../components/gallery-skeleton.tsx'
import { Observable } from '../components/observable.ts'
import { PartNotLoaded } from '../components/page-failure.tsx'
import type { Gallery } from './gallery.tsx'

class GalleryScript extends Observable {
  #gallery: typeof Gallery | 'loading' | 'failed' | null = null

  /** Null before it was requested. */
  readonly read = (): typeof Gallery | 'loading' | 'failed' | null => this.#gallery

  /** Once: browsers cache the failure of a script until the page is reloaded. */
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
    this.notify()
  }
}

const script = new GalleryScript()

/** Loads the script before it is needed. */
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
