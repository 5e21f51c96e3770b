import { centredCover, type Placement } from '../../src/geometry/artwork-placement.ts'
import { type Homography, homographyFromQuad, homographyToQuad } from '../../src/geometry/homography.ts'
import type { Point, Quad } from '../../src/geometry/quad.ts'
import type { PointMap } from '../reference/supersample.ts'

/**
 * One measurement: artwork of a size seen through a map in a scene of a size. Numbers are for a scene 1,000
 * px wide; all scale together.
 */
export type FidelityCase = {
  readonly name: string
  readonly what: string
  readonly artworkWidth: number
  readonly artworkHeight: number
  /**
   * how often truth enlarges the artwork before taking samples of it: more where few of its pixels meet in
   * one of the scene's
   */
  readonly enlargement: number
  /**
   * the corners of a `corners` frame, or the map of a `uvmap` frame (u, v for a scene point; false beside it)
   */
  readonly shape: { readonly quad: Quad } | { readonly map: PointMap }
  /** the least PSNR in dB: inside the frame, and along its edges where it has edges of its own */
  readonly insideDb: number
  readonly edgeDb: number | null
  /** how the artwork lies in the frame; missing: it fills the frame */
  readonly placement?: Placement
  /** the frame's width over its height; missing: the artwork's */
  readonly frameRatio?: number
}

export function findFrameRatio({ frameRatio, artworkWidth, artworkHeight }: FidelityCase): number {
  return frameRatio ?? artworkWidth / artworkHeight
}

/** The scene's size in the cases' own units. */
export const SCENE_WIDTH = 1000
export const SCENE_HEIGHT = 1250

/**
 * Whether a point lies in the quad and where on the artwork: shares no code with the renderer but the matrix.
 */
export function mapQuad(quad: Quad): PointMap {
  const m: Homography = homographyFromQuad(quad)
  const xs = quad.map(corner => corner[0])
  const ys = quad.map(corner => corner[1])
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  return (x, y, out) => {
    if (x < left || x > right || y < top || y > bottom) return false
    const w = m[6] * x + m[7] * y + m[8]
    const u = (m[0] * x + m[1] * y + m[2]) / w
    const v = (m[3] * x + m[4] * y + m[5]) / w
    out[0] = u
    out[1] = v
    return w > 0 && u >= 0 && u <= 1 && v >= 0 && v <= 1
  }
}

/** How the artwork lies on the frame's plane, `ratio` by 1: its size there, and its turn. */
function layOnFrame(measured: FidelityCase, placement: Placement) {
  const ratio = findFrameRatio(measured)
  const artworkRatio = measured.artworkWidth / measured.artworkHeight
  const fills = placement.fit === 'cover' ? Math.max : Math.min
  const height = placement.scale * fills(1, ratio / artworkRatio)
  const turn = (placement.rotation * Math.PI) / 180
  return { ratio, width: height * artworkRatio, height, cos: Math.cos(turn), sin: Math.sin(turn) }
}

/**
 * From the scene through the frame onto the placed artwork. It shares no code with the renderer: the artwork
 * is a picture on the frame's plane, which is scaled, turned about its centre and moved there. Where the
 * frame's map goes on beside the frame, positions do too.
 */
export function placeInFrame(measured: FidelityCase, inFrame: PointMap): PointMap {
  const { placement } = measured
  if (!placement) return inFrame
  const { ratio, width, height, cos, sin } = layOnFrame(measured, placement)
  const isTiled = isRepeated(measured)
  return (x, y, out) => {
    const isInFrame = inFrame(x, y, out)
    const right = ((out[0] ?? 0) - placement.x) * ratio
    const down = (out[1] ?? 0) - placement.y
    const u = 0.5 + (right * cos + down * sin) / width
    const v = 0.5 + (down * cos - right * sin) / height
    out[0] = isTiled ? u - Math.floor(u) : u
    out[1] = isTiled ? v - Math.floor(v) : v
    return isInFrame && (isTiled || (u >= 0 && u <= 1 && v >= 0 && v <= 1))
  }
}

export function isRepeated({ placement }: FidelityCase): boolean {
  return placement?.repeat === 'tile'
}

/** The scene's points under the corners of the artwork (of its first copy) on a quad. */
export function findArtworkQuad(measured: FidelityCase, quad: Quad): Quad {
  const { placement } = measured
  if (!placement) return quad
  const { ratio, width, height, cos, sin } = layOnFrame(measured, placement)
  const m = homographyToQuad(quad)
  const locate = (atX: number, atY: number): Point => {
    const u = placement.x + (atX * width * cos - atY * height * sin) / ratio
    const v = placement.y + atX * width * sin + atY * height * cos
    const w = m[6] * u + m[7] * v + m[8]
    return [(m[0] * u + m[1] * v + m[2]) / w, (m[3] * u + m[4] * v + m[5]) / w]
  }
  return [locate(-0.5, -0.5), locate(0.5, -0.5), locate(0.5, 0.5), locate(-0.5, 0.5)]
}

/** A mug from the front: u by the angle round the cylinder, 6:1 compressed at the limb, v bowed. */
const cylinder: PointMap = (x, y, out) => {
  const t = (x - 500) / 330
  if (Math.abs(t) > 0.99) return false
  const u = 0.5 + Math.asin(t) / (2 * Math.asin(0.99))
  const v = (y - 280 - 40 * Math.sqrt(1 - t * t)) / 640
  out[0] = u
  out[1] = v
  return v >= 0 && v <= 1
}

/** A print on cloth: a gentle slant with folds of several sizes. */
const cloth: PointMap = (x, y, out) => {
  const px = (x - 500) / 380
  const py = (y - 625) / 520
  // Folds move nothing by more than this: most points beside the print are known without them.
  if (Math.abs(px) > 1.05 || Math.abs(py) > 1.05) return false
  const u = 0.5 + 0.5 * (px + 0.03 * Math.sin(5.1 * py + 2.3 * px) + 0.016 * Math.sin(11 * px - 6 * py))
  const v = 0.5 + 0.5 * (py + 0.03 * Math.sin(4.3 * px - 1.1) + 0.014 * Math.sin(9 * py + 7 * px))
  out[0] = u
  out[1] = v
  return u >= 0 && u <= 1 && v >= 0 && v <= 1
}

export const fidelityCases: readonly FidelityCase[] = [
  {
    name: 'gentle',
    what: 'a poster on a wall, slightly from the side',
    artworkWidth: 1500,
    artworkHeight: 2250,
    enlargement: 2,
    shape: {
      quad: [
        [240, 250],
        [685, 290],
        [692.5, 945],
        [235, 980],
      ],
    },
    insideDb: 36,
    edgeDb: 38,
  },
  {
    name: 'strong',
    what: 'the near edge eight times as long as the far one',
    artworkWidth: 1500,
    artworkHeight: 2250,
    enlargement: 2,
    shape: {
      quad: [
        [150, 100],
        [800, 560],
        [800, 690],
        [150, 1140],
      ],
    },
    insideDb: 33.5,
    edgeDb: 38,
  },
  {
    name: 'rotated',
    what: 'a print lying at 31 degrees',
    artworkWidth: 1500,
    artworkHeight: 2250,
    enlargement: 2,
    shape: {
      quad: [
        [430, 180],
        [806, 406],
        [468, 970],
        [92, 744],
      ],
    },
    insideDb: 36,
    edgeDb: 38,
  },
  {
    name: 'minifying',
    what: 'artwork fourteen times as large as its frame',
    artworkWidth: 3000,
    artworkHeight: 4500,
    enlargement: 1,
    shape: {
      quad: [
        [400, 400],
        [612, 412],
        [614, 720],
        [398, 730],
      ],
    },
    insideDb: 35,
    edgeDb: 38,
  },
  {
    name: 'magnifying',
    what: 'artwork smaller than its frame',
    artworkWidth: 300,
    artworkHeight: 450,
    enlargement: 4,
    shape: {
      quad: [
        [200, 150],
        [780, 190],
        [790, 1060],
        [190, 1100],
      ],
    },
    insideDb: 45,
    edgeDb: 38,
  },
  {
    name: 'cylinder',
    what: 'a map round a mug, six times denser at its limb',
    artworkWidth: 2000,
    artworkHeight: 2000,
    enlargement: 2,
    shape: { map: cylinder },
    insideDb: 36,
    edgeDb: null,
  },
  {
    name: 'cloth',
    what: 'a map over folded cloth',
    artworkWidth: 1500,
    artworkHeight: 2000,
    enlargement: 2,
    shape: { map: cloth },
    insideDb: 36,
    edgeDb: null,
  },
]

const namesWithAlpha: ReadonlySet<string> = new Set(['gentle', 'rotated', 'minifying'])

/** Cases that are measured with soft-edged artwork too. */
export const alphaCases: readonly FidelityCase[] = fidelityCases.filter(({ name }) => namesWithAlpha.has(name))

const onQuad: FidelityCase['shape'] = {
  quad: [
    [240, 250],
    [685, 290],
    [692.5, 945],
    [235, 980],
  ],
}

/** How artwork is placed in both shapes; none of them enlarges truth's artwork more than it needs. */
const placements = {
  turned: { what: 'turned by 17 degrees', placement: { ...centredCover, rotation: 17 }, enlargement: 2 },
  contained: { what: 'wholly inside the frame', placement: { ...centredCover, fit: 'contain' }, enlargement: 2 },
  small: { what: 'at a fifth of its size', placement: { ...centredCover, scale: 0.2 }, enlargement: 1 },
  large: { what: 'at six times its size', placement: { ...centredCover, scale: 6 }, enlargement: 4 },
  tiled: {
    what: 'repeated at 0.15 of its size',
    placement: { ...centredCover, repeat: 'tile', scale: 0.15 },
    enlargement: 1,
  },
} as const satisfies Record<string, { what: string; placement: Placement; enlargement: number }>

/** Artwork placed otherwise than by filling the frame, on a quad and on a map. */
export const placedCases: readonly FidelityCase[] = Object.entries(placements).flatMap(
  ([name, { what, placement, enlargement }]) =>
    [
      { on: 'quad', shape: onQuad },
      { on: 'map', shape: { map: cloth } },
    ].map(({ on, shape }) => ({
      name: `${name}-on-${on}`,
      what: `artwork ${what} on a ${on}`,
      // Across the frame, where it is to lie wholly inside.
      artworkWidth: name === 'contained' ? 2250 : 1500,
      artworkHeight: name === 'contained' ? 1500 : 2250,
      frameRatio: 0.69,
      enlargement,
      shape,
      insideDb: 36,
      // A pattern's edge on a map is mostly its inside: docs/decisions/placements.md.
      edgeDb: 38,
      placement,
    })),
)
