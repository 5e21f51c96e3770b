import { applyHomography, findQuadFault, homographyToQuad, type Point, type Quad } from '@vitrine/engine'
import type { BodyMark } from '../drawing/body-mark.ts'
import type { DrawnFrame } from '../drawing/drawing.ts'
import type { PhotoPixels } from '../photo-pixels.ts'
import { PhotoRefusedError } from '../photo-refused-error.ts'
import type { Doubt } from '../photo-report.ts'
import type { ArtworkPoint } from './artwork-point.ts'
import { type Body, type BodyParameters, buildBody } from './body.ts'
import { buildCloth, type Cloth, clothSurface } from './cloth.ts'
import { type BodyKnowledge, fitBody } from './fit-body.ts'
import { flatSurface } from './flat.ts'
import type { FrameSurface } from './frame-surface.ts'
import { invertSurface } from './invert-surface.ts'
import { knownProducts } from './known-products.ts'
import type { Lens } from './lens.ts'
import { findReach, rasterizeSparsely, rasterizeSurface } from './rasterize-surface.ts'
import { lightSampler, snapLabel, snapSides } from './snap-sides.ts'
import { rasterizeWarp, warpPoint } from './warp.ts'

type ToArtwork = (x: number, y: number) => ArtworkPoint

/**
 * Where a frame's artwork lies. `near`: its body before a point was moved a little, where the fit starts.
 * @throws PhotoRefusedError if the points form no surface
 */
export function buildSurface(
  frame: DrawnFrame,
  photo: PhotoPixels,
  lens: Lens,
  near: BodyParameters | null = null,
): FrameSurface {
  switch (frame.kind) {
    case 'flat':
    case 'cloth': {
      const corners = straightenQuad(frame.corners, lens)
      // Flat cloth is treated as a plane: a template by corners is drawn faster than one by a map.
      const isFlat = frame.kind === 'flat' || (frame.pins.length === 0 && frame.bulge === 0)
      const pins = frame.pins.map(pin => ({ ...pin, at: lens.straighten(...pin.at) }))
      const cloth = isFlat ? null : buildCloth(corners, pins, frame.bulge)
      const toArtwork = cloth ? clothSurface(cloth) : flatSurface(corners)
      const onPlane = homographyToQuad(corners)
      const onFlat = (u: number, v: number): Point => applyHomography(onPlane, u, v)
      const straight = isFlat ? onFlat : invertSurface(toArtwork, onFlat)
      return {
        ...plainSurface(frame, toArtwork, photo, lens, cloth, clothSteps),
        toPhoto: (u, v) => lens.bend(...straight(u, v)),
        seen: [0, 1],
        quad: isFlat && lens.isStraight ? frame.corners : null,
      }
    }
    case 'body':
      return bodySurface(frame, photo, lens, near)
    default: {
      const mesh = (frame.mesh ?? []).map(point => lens.straighten(...point))
      return {
        aspectRatio: frame.aspectRatio ?? 1,
        quad: null,
        rasterize: isLive =>
          rasterizeWarp(
            mesh,
            frame.aspectRatio ?? 1,
            photo.widthPx,
            photo.heightPx,
            lens,
            isLive === true ? LIVE_STEP_PX : 1,
          ),
        toPhoto: (u, v) => lens.bend(...warpPoint(mesh, u, v)),
        seen: [0, 1],
        isCurved: false,
        fitted: null,
        residualPx: null,
        doubts: [],
      }
    }
  }
}

/** The step, in pixels, between exact points in the live map of a surface that is slow to compute. */
const LIVE_STEP_PX = 4

/** The same in bundles and live maps of cloth, which bends little: every 4th gives it within 0.003 px. */
const clothSteps = { bundle: 4, live: 8 } as const

/** The sides of bodies turn away. */
const bodySteps = { bundle: 1, live: 4 } as const

/** Points per side of the grid in which the photo is searched for artwork, every so many first. */
const searchedPoints = [512, 4] as const
const liveSearchedPoints = [96, 4] as const

/** `smooth`: the same surface if it is slow to compute at each pixel, otherwise null. */
function plainSurface(
  frame: DrawnFrame,
  toArtwork: ToArtwork,
  photo: PhotoPixels,
  lens: Lens,
  smooth: Cloth | null,
  steps: { readonly bundle: number; readonly live: number },
): Omit<FrameSurface, 'toPhoto' | 'seen'> {
  const seen = throughLens(toArtwork, lens)
  const sparse = smooth && { ...smooth, onPlate: throughLens(smooth.onPlate, lens) }
  return {
    aspectRatio: frame.aspectRatio ?? 1,
    quad: null,
    rasterize: (isLive = false) => {
      const [points, stride] = isLive ? liveSearchedPoints : searchedPoints
      const rect = findReach(seen, photo.widthPx, photo.heightPx, points, stride)
      const stepPx = isLive ? steps.live : steps.bundle
      return sparse && stepPx > 1 ? rasterizeSparsely(sparse, rect, stepPx) : rasterizeSurface(seen, rect)
    },
    isCurved: false,
    fitted: null,
    residualPx: null,
    doubts: [],
  }
}

function throughLens(toArtwork: ToArtwork, lens: Lens): ToArtwork {
  return lens.isStraight ? toArtwork : (x, y) => toArtwork(...lens.straighten(x, y))
}

function straightenQuad(corners: Quad | null, lens: Lens): Quad {
  const [a, b, c, d] = (corners ?? []).map(corner => lens.straighten(...corner))
  const quad: Quad | null = a && b && c && d ? [a, b, c, d] : null
  if (!quad || findQuadFault(quad) !== null) {
    throw new PhotoRefusedError('The four corners make no area that artwork could fill. Move them apart.')
  }
  return quad
}

/** The tolerated mean error of a fit, in px; a larger one means no such body, or a wrong point. */
const POOR_FIT_PX = 5

/** Six points, two of them in the middles of the arcs; fewer do not determine the tilt. */
const ENOUGH_MARKS = 6

function bodySurface(frame: DrawnFrame, photo: PhotoPixels, lens: Lens, near: BodyParameters | null): FrameSurface {
  const marks = (frame.marks ?? []).map((mark): BodyMark => ({ ...mark, at: lens.straighten(...mark.at) }))
  const measures = frame.measures && knownProducts[frame.measures]
  const isOutlined = marks.some(mark => mark.kind === 'side')
  const knowledge: BodyKnowledge = isOutlined
    ? { aspectRatio: null, slenderness: measures && measures.height / measures.diameter }
    : {
        aspectRatio: frame.aspectRatio ?? (measures && measures.printWidth / measures.printHeight),
        slenderness: frame.aspectRatio === null && measures ? measures.printHeight / measures.diameter : null,
      }
  const { print } = frame
  const { widthPx, heightPx } = photo
  let fitted = fitBody(marks, knowledge, widthPx, heightPx, false, near)
  if (frame.snap && fitted.residualPx < Infinity) {
    const sampler = lightSampler(photo)
    const isLabel = frame.surface === 'paper' && !isOutlined && print === null
    const label = isLabel ? snapLabel(fitted.body, photo, sampler, lens) : null
    const snapped = label ?? snapSides(fitted.body, photo, sampler, lens)
    // Points on the artwork's arcs remain so, although snapped ones are on the sides.
    if (snapped.length > 0) {
      fitted = fitBody(
        [...marks, ...snapped],
        knowledge,
        widthPx,
        heightPx,
        !isOutlined,
        near && fitted.body.parameters,
      )
    }
  }
  const { parameters } = fitted.body
  if (!Object.values(parameters).every(Number.isFinite) || fitted.residualPx > Math.max(widthPx, heightPx) / 10) {
    throw new PhotoRefusedError(
      'No cylinder or cone goes through these points. Set them again, or choose a free shape.',
    )
  }
  const body = print
    ? buildBody(
        { ...parameters, from: (print.left * Math.PI) / 180, to: (print.right * Math.PI) / 180 },
        widthPx,
        heightPx,
      )
    : fitted.body
  const toArtwork: ToArtwork = print
    ? (x, y) => {
        const point = body.toArtwork(x, y)
        return { ...point, v: (point.v - print.top) / (print.bottom - print.top) }
      }
    : body.toArtwork
  const { from, to, height } = body.parameters
  const printed = print ? height * (print.bottom - print.top) : height
  const aspectRatio = frame.aspectRatio ?? (to - from) / printed
  const uOf = (angle: number): number => Math.min(1, Math.max(0, (angle - from) / (to - from)))
  const doubts: Doubt[] = []
  if (fitted.residualPx > POOR_FIT_PX * Math.max(1, widthPx / 2000)) {
    const sentence = `The points are ${fitted.residualPx.toFixed(1)} px off the nearest cylinder or cone: check each of them.`
    doubts.push({ kind: 'poor-fit', sentence })
  }
  if (marks.length < ENOUGH_MARKS) {
    doubts.push({ kind: 'few-points', sentence: `Set ${ENOUGH_MARKS} points or more: fewer leave the tilt open.` })
  }
  if (knowledge.aspectRatio === null && knowledge.slenderness === null) {
    const sentence = 'Name the product or its measures: without one known ratio the shape may be off.'
    doubts.push({ kind: 'ratio-unknown', sentence })
  }
  return {
    ...plainSurface(frame, toArtwork, photo, lens, { onPlate: toArtwork, bulge: 0 }, bodySteps),
    aspectRatio,
    toPhoto: (u, v) =>
      lens.bend(...body.at(from + u * (to - from), print ? print.top + v * (print.bottom - print.top) : v)),
    seen: [uOf(body.sides[0]), uOf(body.sides[1])],
    isCurved: true,
    fitted: { parameters, lines: linesOf(fitted.body, isOutlined, lens) },
    residualPx: fitted.residualPx,
    doubts,
  }
}

/** The number of points along a rim that is drawn. */
const RIM_STEPS = 24

/** The rims of a body that the camera sees, and its sides. */
function linesOf(body: Body, hasRims: boolean, lens: Lens): Point[][] {
  const [left, right] = body.sides
  const rim = hasRims ? Math.exp(body.parameters.lnRim) : 1
  const arc = (from: number, to: number, v: number): Point[] =>
    Array.from({ length: RIM_STEPS + 1 }, (_, i) => lens.bend(...body.at(from + ((to - from) * i) / RIM_STEPS, v, rim)))
  const side = (angle: number): Point[] => [0, 0.5, 1].map(v => lens.bend(...body.at(angle, v)))
  return [arc(-Math.PI, Math.PI, 0), arc(left, right, 1), side(left), side(right)]
}
