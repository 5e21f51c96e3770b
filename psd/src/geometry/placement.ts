import {
  applyHomography,
  type ContentPlacement,
  isPlain,
  type Mesh,
  meshPoint,
  type Quad,
  rectToQuad,
} from '@vitrine/engine'
import type { PlacedLayer } from 'ag-psd'
import { PsdRefusedError } from '../refused-error.ts'
import { isSoundQuad } from './compose-placements.ts'
import { meshOf } from './mesh-of-warp.ts'
import { warpPlacement } from './perspective-warp.ts'

/** Reads transform, warp and Perspective Warp. @throws PsdRefusedError for unsupported warps */
export function placementOf(placed: PlacedLayer): ContentPlacement {
  return warpPlacement(transformOf(placed), placed)
}

function transformOf(placed: PlacedLayer): ContentPlacement {
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
 * The quad is that of the control points' bounding box. Control points are projected first, and the patches
 * are evaluated in the document: a projected Bezier patch is not the patch of the projected points.
 */
function projectMesh(mesh: Mesh, quad: Quad): Mesh {
  const xs = mesh.points.map(([x]) => x)
  const ys = mesh.points.map(([, y]) => y)
  const toDocument = rectToQuad(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), quad)
  return { ...mesh, points: mesh.points.map(([x, y]) => applyHomography(toDocument, x, y)) }
}

/** A descriptor may lack fields that are required in ag-psd's types. */
function quadOf(values: readonly number[] | undefined): Quad {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = values ?? []
  const isWhole = values?.length === 8 && values.every(Number.isFinite)
  if (!isWhole || x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined)
    throw new PsdRefusedError('This file is damaged: a smart object has no corners.')
  if (x2 === undefined || y2 === undefined || x3 === undefined || y3 === undefined)
    throw new PsdRefusedError('This file is damaged: a smart object has no corners.')
  const quad: Quad = [
    [x0, y0],
    [x1, y1],
    [x2, y2],
    [x3, y3],
  ]
  if (isSoundQuad(quad)) return quad
  throw new PsdRefusedError('This file is damaged: the corners of a smart object are no quadrilateral.')
}

/** Photoshop 2021's cylinder, fitted to one file: half of it is visible, its ends are half ellipses. */
const CYLINDER_BULGE = 0.5

function cylinder(width: number, height: number, values: readonly number[], quad: Quad): ContentPlacement {
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
