import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { DESCRIPTION_FILE } from './bundle-files.ts'
import {
  MAX_DISTANCE_IN_SCENES,
  MAX_OPERATION_SCENES,
  MAX_SCENE_PIXELS,
  MAX_SCENE_RATIO,
  MAX_SCENE_SIDE_PX,
} from './bundle-limits.ts'
import { picturesOf } from './effect-fields.ts'
import { describeValue, type FaultCollector } from './fault-collector.ts'
import type { ParseLog, SceneRegion, UsedFile } from './parse-log.ts'
import { layersOf, type Operation, walkOperations } from './stack-fields.ts'
import type { Template } from './template.ts'

type SceneSize = Pick<ArtworkFacts, 'widthPx' | 'heightPx'>

/** Checks the limits of the scene's size. */
export function checkSceneSize(
  { widthPx, heightPx }: SceneSize,
  { path, field }: UsedFile,
  faults: FaultCollector,
): void {
  const received = `${widthPx} x ${heightPx} px`
  if (widthPx > MAX_SCENE_SIDE_PX || heightPx > MAX_SCENE_SIDE_PX) {
    faults.add(path, field, `a scene of at most ${MAX_SCENE_SIDE_PX} px a side`, received)
  }
  if (widthPx * heightPx > MAX_SCENE_PIXELS) faults.add(path, field, 'a scene of at most 40 megapixels', received)
  const ratio = widthPx / heightPx
  if (ratio > MAX_SCENE_RATIO || ratio < 1 / MAX_SCENE_RATIO) {
    faults.add(path, field, 'a scene between 1:4 and 4:1', received)
  }
}

/** Checks that corners and regions are near the scene. */
export function checkPositions({ quads, regions, faults }: ParseLog, { widthPx, heightPx }: SceneSize): void {
  const size = `${widthPx} x ${heightPx} px`
  const nearby = `within ${MAX_DISTANCE_IN_SCENES} scene sizes of the scene (${size})`
  const isNear = (x: number, y: number): boolean => isNearAxis(x, widthPx) && isNearAxis(y, heightPx)
  for (const { field, corners } of quads) {
    for (const [index, [x, y]] of corners.entries()) {
      if (isNear(x, y)) continue
      faults.add(DESCRIPTION_FILE, `${field}[${index}]`, `a corner ${nearby}`, describeValue([x, y]))
    }
  }
  for (const { field, region } of regions) {
    const { x, y, width, height } = region
    const received = describeValue([x, y, width, height])
    if (x >= widthPx || y >= heightPx || x + width <= 0 || y + height <= 0) {
      faults.add(DESCRIPTION_FILE, field, `a region that lies on the scene (${size})`, received)
    } else if (!isNear(x, y) || !isNear(x + width, y + height)) {
      faults.add(DESCRIPTION_FILE, field, `a region ${nearby}`, received)
    }
  }
}

/** Limits the area of all operations' pictures and masks together. */
export function checkOperationAreas({ frames, stack }: Template, scene: SceneSize, faults: FaultCollector): void {
  const innerOf = (index: number): readonly Operation[] => frames[index]?.inner ?? []
  const listed = stack ?? frames.map((_, index): Operation => ({ kind: 'frame', index }))
  let scenes = 0
  for (const operation of walkOperations(listed, innerOf)) {
    for (const { layer } of layersOf(operation)) scenes += shareOfScene(layer.region, scene)
  }
  for (const { region } of frames.flatMap(frame => picturesOf(frame.effects))) scenes += shareOfScene(region, scene)
  if (scenes <= MAX_OPERATION_SCENES) return
  const expected = `pictures and masks that cover at most ${MAX_OPERATION_SCENES} scenes together`
  faults.add(DESCRIPTION_FILE, 'stack', expected, `${scenes.toFixed(1)} scenes; give them a region`)
}

/** The share of the scene that a region covers, 0..1. */
function shareOfScene(region: SceneRegion | null, { widthPx, heightPx }: SceneSize): number {
  if (region === null) return 1
  const width = Math.min(widthPx, region.x + region.width) - Math.max(0, region.x)
  const height = Math.min(heightPx, region.y + region.height) - Math.max(0, region.y)
  return (Math.max(0, width) * Math.max(0, height)) / (widthPx * heightPx)
}

function isNearAxis(value: number, size: number): boolean {
  return value >= -MAX_DISTANCE_IN_SCENES * size && value <= (1 + MAX_DISTANCE_IN_SCENES) * size
}
