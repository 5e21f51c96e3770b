import { useSyncExternalStore } from 'react'
import { type KnownLook, scenePool } from './scene-pool.ts'

/** What the pool knows about an artwork; does not decode it. */
export function useArtworkLook(file: File): KnownLook {
  return useSyncExternalStore(scenePool.subscribeLooks, () => scenePool.lookOf(file))
}
