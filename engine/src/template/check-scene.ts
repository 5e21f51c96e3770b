import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { MAX_DISTANCE_IN_SCENES, MAX_SCENE_PIXELS, MAX_SCENE_RATIO, MAX_SCENE_SIDE_PX } from './bundle-limits.ts'
import { describeValue, type FaultCollector } from './fault-collector.ts'
import { DESCRIPTION_FILE } from './field-reader.ts'
import type { ParseLog } from './parse-log.ts'

type SceneSize = Pick<ArtworkFacts, 'widthPx' | 'heightPx'>

/** Holds the scene to its size limits. */
export function checkSceneSize(scene: SceneSize, place: { path: string; field: string }, faults: FaultCollector): void {
  const { widthPx, heightPx } = scene
  const received = `${widthPx} x ${heightPx} px`
  if (widthPx > MAX_SCENE_SIDE_PX || heightPx > MAX_SCENE_SIDE_PX) {
    faults.add(place.path, place.field, `a scene of at most ${MAX_SCENE_SIDE_PX} px a side`, received)
  }
  if (widthPx * heightPx > MAX_SCENE_PIXELS) {
    faults.add(place.path, place.field, 'a scene of at most 40 megapixels', received)
  }
  const ratio = widthPx / heightPx
  if (ratio > MAX_SCENE_RATIO || ratio < 1 / MAX_SCENE_RATIO) {
    faults.add(place.path, place.field, 'a scene between 1:4 and 4:1', received)
  }
}

/** Holds corners and regions to the neighbourhood of the scene. */
export function checkPlaces(log: ParseLog, scene: SceneSize): void {
  const isNear = (value: number, size: number): boolean =>
    value >= -MAX_DISTANCE_IN_SCENES * size && value <= (1 + MAX_DISTANCE_IN_SCENES) * size
  const size = `${scene.widthPx} x ${scene.heightPx} px`
  for (const { field, corners } of log.quads) {
    for (const [index, [x, y]] of corners.entries()) {
      if (isNear(x, scene.widthPx) && isNear(y, scene.heightPx)) continue
      const place = `${field}[${index}]`
      log.faults.add(
        DESCRIPTION_FILE,
        place,
        `a corner within ${MAX_DISTANCE_IN_SCENES} scene sizes of the scene (${size})`,
        describeValue([x, y]),
      )
    }
  }
  for (const { field, region } of log.regions) {
    const { x, y, width, height } = region
    const received = describeValue([x, y, width, height])
    const right = x + width
    const bottom = y + height
    if (x >= scene.widthPx || y >= scene.heightPx || right <= 0 || bottom <= 0) {
      log.faults.add(DESCRIPTION_FILE, field, `a region that lies on the scene (${size})`, received)
    } else if (![x, right].every(v => isNear(v, scene.widthPx)) || ![y, bottom].every(v => isNear(v, scene.heightPx))) {
      log.faults.add(
        DESCRIPTION_FILE,
        field,
        `a region within ${MAX_DISTANCE_IN_SCENES} scene sizes of the scene (${size})`,
        received,
      )
    }
  }
}
