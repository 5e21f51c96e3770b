import { useEffect, useSyncExternalStore } from 'react'
import type { ArtworkSize } from './scene-facts.ts'
import { scenePool } from './scene-pool.ts'

/** The upright size of a picture as the workers decode it; null while unknown or undecodable. */
export function useArtworkSize(file: File | null): ArtworkSize | null {
  useEffect(() => {
    if (file !== null && scenePool.lookOf(file) === 'unknown') scenePool.expect(file)
  }, [file])
  const look = useSyncExternalStore(scenePool.subscribeLooks, () => (file === null ? null : scenePool.lookOf(file)))
  return typeof look === 'string' ? null : look
}
