import { applyHomography, homographyToQuad, type Point, type Quad } from '@vitrine/engine'
import { createNormalRandom } from './normal-random.ts'
import type { Scene } from './scenes.ts'
import { locate } from './truth-map.ts'

// What a person sets on a photo: true points with normal errors, by a seed.

/** Clicks lie a little inside the artwork: at its very edge the true map is not known. */
const MUG_EDGE = 0.012
const EDGE = 0.015

type Click = (u: number, v: number) => Point

function clickOn({ truth }: Scene, deviationPx: number, seed: number): Click {
  const normal = createNormalRandom(seed)
  return (u, v) => {
    const [x, y] = locate(truth, u, v)
    return [x + deviationPx * normal(), y + deviationPx * normal()]
  }
}

/** Four corners and the middles of both arcs. */
export function mugMarks(scene: Scene, deviationPx: number, seed: number): object[] {
  const click = clickOn(scene, deviationPx, seed)
  const [e, f] = [MUG_EDGE, 1 - MUG_EDGE]
  return [
    { at: click(e, e), u: e, v: e },
    { at: click(f, e), u: f, v: e },
    { at: click(f, f), u: f, v: f },
    { at: click(e, f), u: e, v: f },
    { at: click(0.5, f), v: f },
    { at: click(0.5, e), v: e },
  ]
}

/** The artwork's corners by four clicks near them. */
function cornersBy(click: Click): Quad {
  const [e, f] = [EDGE, 1 - EDGE]
  const clicked: Quad = [click(e, e), click(f, e), click(f, f), click(e, f)]
  const toPhoto = homographyToQuad(clicked)
  const [first, last] = [-e / (f - e), (1 - e) / (f - e)]
  const at = (s: number, t: number): Point => applyHomography(toPhoto, s, t)
  return [at(first, first), at(last, first), at(last, last), at(first, last)]
}

export function flatCorners(scene: Scene, deviationPx: number, seed: number): Quad {
  return cornersBy(clickOn(scene, deviationPx, seed))
}

const [q, r] = [0.25, 0.75]
const [e, f] = [EDGE, 1 - EDGE]
const middles: readonly Point[] = [
  [0.5, e],
  [f, 0.5],
  [0.5, f],
  [e, 0.5],
]

/** Where pins are set: nowhere, on a grid, or on the rim alone. */
export const pinPlaces = {
  none: [],
  grid: [...middles, [q, q], [r, q], [r, r], [q, r], [0.5, q], [0.5, 0.5], [0.5, r], [q, 0.5]],
  rim: [0.25, 0.5, 0.75].flatMap((t): Point[] => [
    [t, e],
    [f, t],
    [1 - t, f],
    [e, t],
  ]),
} as const satisfies Readonly<Record<string, readonly Point[]>>

/** Corners are set with more care than pins. */
const CORNER_DEVIATION_PX = 1.5

export function clothPoints(
  scene: Scene,
  places: readonly Point[],
  deviationPx: number,
  seed: number,
): { corners: Quad; pins: object[] } {
  const normal = createNormalRandom(seed)
  const clickBy =
    (px: number): Click =>
    (u, v) => {
      const [x, y] = locate(scene.truth, u, v)
      return [x + px * normal(), y + px * normal()]
    }
  const corners = cornersBy(clickBy(Math.min(deviationPx, CORNER_DEVIATION_PX)))
  const click = clickBy(deviationPx)
  return { corners, pins: places.map(([u, v]) => ({ at: click(u, v), u, v })) }
}
