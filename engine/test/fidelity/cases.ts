import { type Homography, homographyFromQuad } from '../../src/geometry/homography.ts'
import type { Quad } from '../../src/geometry/quad.ts'
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

/**
 * A mug seen from the front: u by the angle round the cylinder, compressed towards the limb (about 6:1), v
 * bowed.
 */
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
