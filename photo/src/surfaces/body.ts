import type { Point } from '@vitrine/engine'
import type { ArtworkPoint } from './artwork-point.ts'

type Vector = readonly [x: number, y: number, z: number]

/** A cylinder or cone before a pinhole camera whose optical axis meets the middle of the photo. */
export type BodyParameters = {
  /** middle of the axis, in px */
  readonly x: number
  readonly y: number
  /** ln of the radius at the middle, in px */
  readonly lnRadius: number
  /** radians by which the top leans towards the camera, and to the right */
  readonly tilt: number
  readonly roll: number
  /** in radii */
  readonly height: number
  /** the radius at the top less that at the bottom, in radii */
  readonly taper: number
  /** where the artwork begins and ends around the axis, in radians; 0 faces the camera */
  readonly from: number
  readonly to: number
  /** ln of the focal length, in widths of the photo */
  readonly lnFocal: number
  /** ln of the rims' radius over the body's: the lip of a mug is narrower than its sides */
  readonly lnRim: number
}

export type Body = {
  readonly parameters: BodyParameters
  /** a point at an angle and a height (0 top, 1 bottom); `rim`: its radius over the body's */
  readonly at: (angle: number, v: number, rim?: number) => Point
  readonly toArtwork: (x: number, y: number) => ArtworkPoint
  /** the angles of the silhouette, left and right */
  readonly sides: readonly [number, number]
}

const FULL_TURN = 2 * Math.PI

/** Degrees by which a print's middle is turned at most: on mugs the handle is opposite, a little in front. */
export const MOST_TURN = 120

/** A body as the camera sees it. Unit of length: the radius at its middle. */
export function buildBody(parameters: BodyParameters, widthPx: number, heightPx: number): Body {
  const { x, y, lnRadius, tilt, roll, height, taper, from, to, lnFocal } = parameters
  const focal = Math.exp(lnFocal) * widthPx
  const depth = focal / Math.exp(lnRadius)
  const [middleX, middleY] = [widthPx / 2, heightPx / 2]
  const center: Vector = [((x - middleX) / focal) * depth, ((y - middleY) / focal) * depth, depth]
  const axis: Vector = [Math.sin(roll) * Math.cos(tilt), -Math.cos(roll) * Math.cos(tilt), -Math.sin(tilt)]
  const towards = axis[2]
  const front = normalize([towards * axis[0], towards * axis[1], towards * axis[2] - 1])
  const right = negate(normalize(cross(front, axis)))
  const slope = taper / height
  const at = (angle: number, v: number, rim = 1): Point => {
    const along = height * (0.5 - v)
    const radius = (1 + taper * (0.5 - v)) * rim
    const [s, c] = [radius * Math.sin(angle), radius * Math.cos(angle)]
    const z = center[2] + axis[2] * along + s * right[2] + c * front[2]
    return [
      middleX + (focal * (center[0] + axis[0] * along + s * right[0] + c * front[0])) / z,
      middleY + (focal * (center[1] + axis[1] * along + s * right[1] + c * front[1])) / z,
    ]
  }
  const centerSquare = dot(center, center)
  const centerAlong = dot(center, axis)
  const steep = 1 + slope * slope
  const constant = centerSquare - centerAlong * centerAlong * steep - 1 + 2 * slope * centerAlong
  const sides = findSides(dot(right, center), dot(front, center), slope, centerAlong)
  // Artwork may go across the back: u jumps opposite of its middle, or where no line of sight meets the body.
  const middle = Math.min(sides[0] + Math.PI, Math.max(sides[1] - Math.PI, (from + to) / 2))
  const toArtwork = (photoX: number, photoY: number): ArtworkPoint => {
    const [dx, dy] = [(photoX - middleX) / focal, (photoY - middleY) / focal]
    const rayAlong = dx * axis[0] + dy * axis[1] + axis[2]
    const rayCenter = dx * center[0] + dy * center[1] + center[2]
    // |s d - C|² - h² = (1 + slope h)² with h = s d.a - C.a
    const a = dx * dx + dy * dy + 1 - rayAlong * rayAlong * steep
    const b = 2 * (rayAlong * centerAlong * steep - rayCenter - slope * rayAlong)
    const discriminant = b * b - 4 * a * constant
    // Beyond the silhouette: the nearest point.
    const s = discriminant >= 0 ? (-b - Math.sqrt(discriminant)) / (2 * a) : -b / (2 * a)
    const [px, py, pz] = [dx * s - center[0], dy * s - center[1], s - center[2]]
    const angle = Math.atan2(
      px * right[0] + py * right[1] + pz * right[2],
      px * front[0] + py * front[1] + pz * front[2],
    )
    return {
      u: (middle + wrapAngle(angle - middle) - from) / (to - from),
      v: 0.5 - (s * rayAlong - centerAlong) / height,
      isSeen: discriminant >= 0 && s > 0,
    }
  }
  return { parameters, at, toArtwork, sides }
}

/** Where the line of sight touches the surface: (right.C) sin t + (front.C) cos t = -1 + slope (a.C). */
function findSides(rightward: number, frontward: number, slope: number, along: number): readonly [number, number] {
  const cosine = (-1 + slope * along) / Math.hypot(rightward, frontward)
  const open = Math.acos(Math.max(-1, Math.min(1, cosine)))
  const middle = Math.atan2(rightward, frontward)
  const [one, other] = [wrapAngle(middle + open), wrapAngle(middle - open)]
  return one < other ? [one, other] : [other, one]
}

/** An angle of less than one and a half turns, as one of at most half a turn. */
function wrapAngle(angle: number): number {
  return angle > Math.PI ? angle - FULL_TURN : angle < -Math.PI ? angle + FULL_TURN : angle
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function negate([x, y, z]: Vector): Vector {
  return [-x, -y, -z]
}

function normalize([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}
