import type { DashboardTemplate } from '@vitrine/contract'
import { useEffect } from 'react'
import { scenePool } from './scene-pool.ts'

/** Scenes that are made ready before anybody chose an artwork: those that a window shows first. */
const WARM_SCENES = 12

/** The page has its pictures by then. */
const WARM_AFTER_MS = 1_500

/** Makes the first scenes of a page ready, so that a picture that is dropped is in them at once. */
export function useWarmScenes(templates: readonly DashboardTemplate[]): void {
  const paths = templates
    .slice(0, WARM_SCENES)
    .flatMap(({ packs }) => packs.slice(0, 1))
    .map(({ path, width_px }) => `${width_px} ${path}`)
    .join('\n')
  useEffect(() => {
    if (paths === '') return
    const timer = setTimeout(() => {
      for (const line of paths.split('\n')) {
        const [widthPx = '', path = ''] = line.split(' ')
        scenePool.prepare(path, Number(widthPx))
      }
    }, WARM_AFTER_MS)
    return () => clearTimeout(timer)
  }, [paths])
}
