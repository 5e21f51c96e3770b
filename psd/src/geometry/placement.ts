import { type Homography, homographyToQuad, invertHomography, type Point, type Quad } from '@vitrine/engine'
import type { PlacedLayer } from 'ag-psd'
import { PsdRefusedError } from '../refused-error.ts'
import { isPlain, type Mesh, meshPoint } from './mesh.ts'
import { meshOf } from './mesh-of-warp.ts'

/** Where a smart object's content lies in the document. Content coordinates are its placed pixels. */
export type Placement = {
  readonly contentWidth: number
  readonly contentHeight: number
  /** the document point of a content point; defined a little beyond the content too */
  readonly forward: (x: number, y: number) => Point
  /** four corners in document pixels, where these say it all; else null */
  readonly quad: Quad | null
  /** boundaries of the patches in content pixels; the ends alone for a quad */
  readonly sliceX: readonly number[]
  readonly sliceY: readonly number[]
}

/** Reads transform and warp. @throws PsdRefusedError for warps that are not understood */
export function placementOf(placed: PlacedLayer): Placement {
  const { width = 0, height = 0, warp } = placed
  if (!(width >= 1 && height >= 1 && width < 1e6 && height < 1e6)) {
    throw new PsdRefusedError('This file is damaged: a smart object has no size.')
  }
  const quad = quadOf(placed.nonAffineTransform ?? placed.transform)
  if (warp?.style === 'cylinder') return cylinder(width, height, warp.values ?? [], quad)
  const mesh = meshOf(warp, width, height)
  // A quilt is drawn as patches even where it changes nothing: under perspective that is not the homography.
  if (!mesh || (mesh.columns === 4 && mesh.rows === 4 && isPlain(mesh))) {
    const toDocument = rectToQuad(0, 0, width, height, quad)
    return {
      contentWidth: width,
      contentHeight: height,
      forward: (x, y) => applyHomography(toDocument, x, y),
      quad,
      sliceX: [0, width],
      sliceY: [0, height],
    }
  }
  const projected = projectMesh(mesh, quad)
  return {
    contentWidth: width,
    contentHeight: height,
    forward: (x, y) => meshPoint(projected, x, y),
    quad: null,
    sliceX: mesh.sliceX,
    sliceY: mesh.sliceY,
  }
}

/**
 * The quad holds the bounding box of the control points. Control points are projected first, and the patches
 * are evaluated in the document: a projected Bezier patch is not the patch of the projected points.
 */
function projectMesh(mesh: Mesh, quad: Quad): Mesh {
  const xs = mesh.points.map(([x]) => x)
  const ys = mesh.points.map(([, y]) => y)
  const toDocument = rectToQuad(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), quad)
  return { ...mesh, points: mesh.points.map(([x, y]) => applyHomography(toDocument, x, y)) }
}

/** A descriptor may lack what the types of ag-psd promise. */
function quadOf(values: readonly number[] | undefined): Quad {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = values ?? []
  const isWhole = values?.length === 8 && values.every(Number.isFinite)
  if (!isWhole || x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined)
    throw new PsdRefusedError('This file is damaged: a smart object has no corners.')
  if (x2 === undefined || y2 === undefined || x3 === undefined || y3 === undefined)
    throw new PsdRefusedError('This file is damaged: a smart object has no corners.')
  return [
    [x0, y0],
    [x1, y1],
    [x2, y2],
    [x3, y3],
  ]
}

/** Photoshop 2021's cylinder, fitted to one file: half of one is seen, its ends are half ellipses. */
const CYLINDER_BULGE = 0.5

function cylinder(width: number, height: number, values: readonly number[], quad: Quad): Placement {
  const radius = width / 2
  const top = (values[4] ?? CYLINDER_BULGE) * radius
  const bottom = (values[5] ?? CYLINDER_BULGE) * radius
  const toDocument = rectToQuad(0, 0, width, height + Math.max(0, bottom), quad)
  const patches = 12
  return {
    contentWidth: width,
    contentHeight: height,
    forward: (x, y) => {
      const angle = Math.max(-0.5, Math.min(0.5, x / width - 0.5)) * Math.PI
      const drop = Math.cos(angle) * (top + ((bottom - top) * y) / height)
      return applyHomography(toDocument, radius + radius * Math.sin(angle), y + drop)
    },
    quad: null,
    // Narrow where the surface turns away.
    sliceX: Array.from({ length: patches + 1 }, (_, i) => (width * (1 - Math.cos((Math.PI * i) / patches))) / 2),
    sliceY: [0, height],
  }
}

/** The homography from a rectangle to a quad. */
function rectToQuad(x0: number, y0: number, x1: number, y1: number, quad: Quad): Homography {
  const [a, b, c, d, e, f, g, h, i] = homographyToQuad(quad)
  const sx = 1 / (x1 - x0)
  const sy = 1 / (y1 - y0)
  const shift = (p: number, q: number, r: number): number => r - p * x0 * sx - q * y0 * sy
  return [a * sx, b * sy, shift(a, b, c), d * sx, e * sy, shift(d, e, f), g * sx, h * sy, shift(g, h, i)]
}

function applyHomography(m: Homography, x: number, y: number): Point {
  const w = m[6] * x + m[7] * y + m[8]
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w]
}

/** The homography from the document to content pixels, of a placement by four corners. */
export function contentFromDocument({ contentWidth, contentHeight, quad }: Placement): Homography | null {
  return quad && invertHomography(rectToQuad(0, 0, contentWidth, contentHeight, quad))
}
