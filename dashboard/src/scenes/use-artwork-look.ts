import { useSyncExternalStore } from 'react'
import { type KnownLook, scenePool } from './scene-pool.ts'

/** What the pool knows of an artwork, without asking it to decode one. */
export function useArtworkLook(file: File): KnownLook {
  return useSyncExternalStore(scenePool.subscribeLooks, () => scenePool.lookOf(file))
}
