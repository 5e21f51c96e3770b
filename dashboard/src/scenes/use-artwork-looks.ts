import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ArtworkSize } from './scene-facts.ts'
import { scenePool } from './scene-pool.ts'

export type ArtworkLooks = ReadonlyMap<File, ArtworkSize>

/**
 * What is known of artworks, where somebody needs it: one after the other is decoded. `isComplete`: each is
 * known, or nothing decodes it.
 */
export function useArtworkLooks(
  files: readonly File[],
  isNeeded: boolean,
): { looks: ArtworkLooks; isComplete: boolean } {
  const countKnown = () => files.filter(file => isKnown(file)).length
  const known = useSyncExternalStore(scenePool.subscribeLooks, countKnown)
  useEffect(() => {
    if (!isNeeded || known === files.length) return
    const next = files.find(file => !isKnown(file))
    if (next !== undefined && scenePool.lookOf(next) === 'unknown') scenePool.expect(next)
  }, [files, isNeeded, known])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each that is known there is one more
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
