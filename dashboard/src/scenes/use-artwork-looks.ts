import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ArtworkSize } from './scene-facts.ts'
import { scenePool } from './scene-pool.ts'

export type ArtworkLooks = ReadonlyMap<File, ArtworkSize>

/**
 * What is known about artworks. If `isNeeded`, they are decoded one after another. `isComplete`: every
 * artwork is decoded or has failed.
 */
export function useArtworkLooks(
  files: readonly File[],
  isNeeded: boolean,
): { looks: ArtworkLooks; isComplete: boolean } {
  const getKnownCount = () => files.filter(file => isKnown(file)).length
  const known = useSyncExternalStore(scenePool.subscribeLooks, getKnownCount)
  useEffect(() => {
    if (!isNeeded || known === files.length) return
    const next = files.find(file => !isKnown(file))
    if (next !== undefined && scenePool.lookOf(next) === 'unknown') scenePool.expect(next)
  }, [files, isNeeded, known])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `known` rises with every look that arrives
  const looks = useMemo(
    () =>
      new Map(
        files.flatMap(file => {
          const look = scenePool.lookOf(file)
          return typeof look === 'string' ? [] : [[file, look] as const]
        }),
      ),
    [files, known],
  )
  return { looks, isComplete: known === files.length }
}

function isKnown(file: File): boolean {
  const look = scenePool.lookOf(file)
  return typeof look !== 'string' || look === 'failed'
}
