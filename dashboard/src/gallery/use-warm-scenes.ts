import type { DashboardTemplate } from '@vitrine/contract'
import { useEffect } from 'react'
import { likelyFirst } from '../scenes/scene-facts.ts'
import { scenePool } from '../scenes/scene-pool.ts'
import { loadGalleryScript } from './gallery-later.tsx'

/** Scenes that are made ready before anybody chose an artwork: those that a window may show first. */
const WARM_SCENES = 40
/** Of a phone, which shows two at a time, and may pay for what it loads. */
const WARM_SCENES_OF_PHONES = 12
const PHONE_PX_MAX = 760

/** The page has its pictures by then. */
const WARM_AFTER_MS = 1_500

/**
 * Makes the gallery and the first scenes of a page ready: a picture that is dropped is in them at once.
 * `templates`: the same array as long as the list is the same.
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
