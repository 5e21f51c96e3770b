/** A scene of the gallery on its template's page; both share placement and colours. */

import type { Placement } from '@vitrine/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { useSession } from '../session/session.ts'
import type { SavedGallery } from '../visit/gallery-address.ts'
import { nothingPlaced, withOwn } from '../visit/gallery-placing.ts'
import { loadGallery, saveGallery } from '../visit/saved-work.ts'

type SavedScene = {
  /** Null until loaded. */
  readonly gallery: SavedGallery | null
  readonly keepPlacement: (placement: Placement) => void
  readonly keepColors: (colors: ProductColors) => void
}

const noGallery: SavedGallery = { placing: nothingPlaced, colors: {}, picks: [] }

export function useSavedScene(templateId: string): SavedScene {
  const { account } = useSession()
  const [gallery, setGallery] = useState<SavedGallery | null>(null)
  const newest = useRef<Promise<SavedGallery> | null>(null)
  const load = useCallback(() => {
    newest.current ??= loadGallery(account.id).then(
      saved => saved ?? noGallery,
      () => noGallery,
    )
    return newest.current
  }, [account.id])
  useEffect(() => {
    void load().then(loaded => setGallery(now => now ?? loaded))
  }, [load])
  /** Queued, so that each change applies to the result of the previous one. */
  const save = useCallback(
    (change: (before: SavedGallery) => SavedGallery) => {
      newest.current = load().then(change)
      void newest.current.then(changed => {
        setGallery(changed)
        saveGallery(account.id, changed, Date.now()).catch(() => undefined)
      })
    },
    [account.id, load],
  )
  const keepPlacement = useCallback(
    (placement: Placement) => save(before => ({ ...before, placing: withOwn(before.placing, templateId, placement) })),
    [save, templateId],
  )
  const keepColors = useCallback(
    (colors: ProductColors) => save(before => ({ ...before, colors: { ...before.colors, [templateId]: colors } })),
    [save, templateId],
  )
  return { gallery, keepPlacement, keepColors }
}
