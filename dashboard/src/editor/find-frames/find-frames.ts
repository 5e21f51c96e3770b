/**
 * Finds parts of a photo that may be frames: pictures on walls, posters, screens, cards. The photo is cut at
 * several levels of its light and of its colourfulness; parts whose outline is nearly a quadrangle are used
 * if edges run along all four sides, and their sides are fitted to these edges.
 */
import { type Corner, isConvex, isInside, type Quad } from '../quad.ts'
import { findOpening } from './find-opening.ts'
import { areaOf, hullOf, quadAround } from './hull.ts'
import { type Outline, outlinesOf } from './outlines.ts'
import { lightPlane, type Pixels, reducedPlanes, yellownessPlane } from './plane.ts'
import { alongEdges } from './sides.ts'

/** The longer side of the picture in which outlines are searched for. */
const OUTLINE_SIDE_PX = 720
/** Of the photo's area. */
const AREA_MIN = 0.005
const AREA_MAX = 0.85
/** The least share of the quadrangle around it that an outline fills, and of the outline that it follows. */
const QUAD_SHARE_MIN = 0.92
const FILLED_SHARE_MIN = 0.9
/** Degrees at the corners: frames are not photographed more obliquely. */
const ANGLE_MIN = 40
const ANGLE_MAX = 140
/** Of the root of the smaller area: quadrangles whose corners all lie closer count as one. */
const SAME_WITHIN = 0.06
/** More would be hard to choose from. */
const FOUND_MAX = 12

type Candidate = { readonly quad: Quad; readonly strength: number; readonly area: number }

/** Quadrangles in the picture's pixels, by the largest of those in one another: its innermost first. */
export function findFrames(pixels: Pixels): Quad[] {
  const factor = Math.max(1, Math.ceil(Math.max(pixels.width, pixels.height) / OUTLINE_SIDE_PX))
  const light = lightPlane(pixels)
  const areaPx = (pixels.width * pixels.height) / factor ** 2
  const rough: Quad[] = []
  for (const plane of reducedPlanes(pixels, factor))
    for (const outline of outlinesOf(plane, AREA_MIN * areaPx)) {
      const quad = quadOfOutline(outline, areaPx)
      if (quad !== null && !rough.some(other => isSame(other, quad, SAME_WITHIN / 3))) rough.push(quad)
    }
  const candidates = rough.flatMap((quad): Candidate[] => {
    const found = alongEdges(light, scaled(quad, factor), 3 * factor)
    return found === null || !isFrameLike(found.quad) ? [] : [{ ...found, area: areaOf(found.quad) }]
  })
  const kept: Candidate[] = []
  for (const candidate of candidates.toSorted((a, b) => b.strength - a.strength))
    if (!kept.some(({ quad }) => isSame(quad, candidate.quad, SAME_WITHIN))) kept.push(candidate)
  const worth = ({ strength, area }: Candidate) => strength * Math.sqrt(area)
  const found = kept
    .toSorted((a, b) => worth(b) - worth(a))
    .slice(0, FOUND_MAX)
    .map(({ quad }) => quad)
  const planes = [light, yellownessPlane(pixels)]
  const openings = found
    .filter(quad => !found.some(other => isInside(other, quad)))
    .map(quad => findOpening(planes, quad))
    .filter(quad => quad !== null)
  return innerFirst([...found, ...openings])
}

function innerFirst(quads: readonly Quad[]): Quad[] {
  const bySize = quads.toSorted((a, b) => areaOf(b) - areaOf(a))
  const outermost = (quad: Quad): Quad => bySize.find(other => isInside(quad, other)) ?? quad
  return bySize
    .filter(quad => outermost(quad) === quad)
    .flatMap(outer => bySize.filter(quad => outermost(quad) === outer).toReversed())
}

function quadOfOutline({ points, filledPx }: Outline, areaPx: number): Quad | null {
  const hull = hullOf(points)
  const hullArea = areaOf(hull)
  if (hullArea > AREA_MAX * areaPx || filledPx < FILLED_SHARE_MIN * hullArea) return null
  const quad = quadAround(hull)
  return quad === null || hullArea < QUAD_SHARE_MIN * areaOf(quad) || !isFrameLike(quad) ? null : quad
}

function isFrameLike(quad: Quad): boolean {
  const angles = quad.map((corner, i) => angleAt(quad[(i + 3) % 4] ?? corner, corner, quad[(i + 1) % 4] ?? corner))
  return isConvex(quad) && angles.every(angle => angle >= ANGLE_MIN && angle <= ANGLE_MAX)
}

/** Degrees between the lines from a corner to its neighbours. */
function angleAt(before: Corner, corner: Corner, after: Corner): number {
  const [ax, ay, bx, by] = [before[0] - corner[0], before[1] - corner[1], after[0] - corner[0], after[1] - corner[1]]
  return (Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by)) * 180) / Math.PI
}

const scaled = ([a, b, c, d]: Quad, factor: number): Quad => {
  const scale = ([x, y]: Corner): Corner => [x * factor, y * factor]
  return [scale(a), scale(b), scale(c), scale(d)]
}

function isSame(a: Quad, b: Quad, within: number): boolean {
  const limit = within * Math.sqrt(Math.min(areaOf(a), areaOf(b)))
  return a.every(([x, y], i) => Math.hypot(x - (b[i]?.[0] ?? 0), y - (b[i]?.[1] ?? 0)) <= limit)
}
