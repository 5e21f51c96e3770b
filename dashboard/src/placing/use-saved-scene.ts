/** A scene of the gallery on its template's page: placement and colours are the same in both. */

import type { Placement } from '@vitrine/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { useSession } from '../session/session.ts'
import type { SavedGallery } from '../visit/gallery-address.ts'
import { nothingPlaced, withOwn } from '../visit/gallery-placing.ts'
import { loadGallery, saveGallery } from '../visit/saved-work.ts'

type SavedScene = {
  /** Null until it is known. */
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
      kept => kept ?? noGallery,
      () => noGallery,
    )
    return newest.current
  }, [account.id])
  useEffect(() => {
    void load().then(loaded => setGallery(now => now ?? loaded))
  }, [load])
  /** One after the other: each change is made to what the one before has left. */
  const keep = useCallback(
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
    (placement: Placement) => keep(before => ({ ...before, placing: withOwn(before.placing, templateId, placement) })),
    [keep, templateId],
  )
  const keepColors = useCallback(
    (colors: ProductColors) => keep(before => ({ ...before, colors: { ...before.colors, [templateId]: colors } })),
    [keep, templateId],
  )
  return { gallery, keepPlacement, keepColors }
}
