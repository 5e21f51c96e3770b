/** A scene of the wall on its template's page: placement and colours are the same in both. */

import type { Placement } from '@vitrine/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { useSession } from '../session/session.ts'
import { keepWall, loadWall } from '../visit/kept-work.ts'
import type { KeptWall } from '../visit/wall-address.ts'
import { nothingPlaced, withOwn } from '../visit/wall-placing.ts'

type KeptScene = {
  /** Null until it is known. */
  readonly wall: KeptWall | null
  readonly keepPlacement: (placement: Placement) => void
  readonly keepColors: (colors: ProductColors) => void
}

const noWall: KeptWall = { placing: nothingPlaced, colors: {}, picks: [] }

export function useKeptScene(templateId: string): KeptScene {
  const { account } = useSession()
  const [wall, setWall] = useState<KeptWall | null>(null)
  const newest = useRef<Promise<KeptWall> | null>(null)
  const load = useCallback(() => {
    newest.current ??= loadWall(account.id).then(
      kept => kept ?? noWall,
      () => noWall,
    )
    return newest.current
  }, [account.id])
  useEffect(() => {
    void load().then(loaded => setWall(now => now ?? loaded))
  }, [load])
  /** One after the other: each change is made to what the one before has left. */
  const keep = useCallback(
    (change: (before: KeptWall) => KeptWall) => {
      newest.current = load().then(change)
      void newest.current.then(changed => {
        setWall(changed)
        keepWall(account.id, changed, Date.now()).catch(() => undefined)
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
  return { wall, keepPlacement, keepColors }
}
