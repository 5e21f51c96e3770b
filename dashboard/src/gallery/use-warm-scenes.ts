import type { DashboardTemplate } from '@vitrine/contract'
import { useEffect } from 'react'
import { likelyFirst } from '../scenes/scene-facts.ts'
import { scenePool } from '../scenes/scene-pool.ts'
import { loadGalleryScript } from './gallery-later.tsx'

/** Scenes that are prepared before an artwork is chosen: those that a window may show first. */
const WARM_SCENES = 40
/** On a phone, which shows two at a time and may pay for data. */
const WARM_SCENES_OF_PHONES = 12
const PHONE_PX_MAX = 760

/** By then, the page has loaded its pictures. */
const WARM_AFTER_MS = 1_500

/**
 * Prepares the gallery and the first scenes, so that dropped artwork appears at once. `templates`: the same
 * array as long as the list is unchanged.
 */
export function useWarmScenes(templates: readonly DashboardTemplate[]): void {
  useEffect(() => {
    if (templates.length === 0) return
    const timer = setTimeout(() => {
      loadGalleryScript()
      const first = likelyFirst(templates).slice(0, innerWidth < PHONE_PX_MAX ? WARM_SCENES_OF_PHONES : WARM_SCENES)
      scenePool.prepare(first.flatMap(({ packs }) => packs.slice(0, 1)))
    }, WARM_AFTER_MS)
    return () => clearTimeout(timer)
  }, [templates])
}
