import type { Quad } from './quad.ts'

/**
 * A plane projective map as a row-major 3 x 3 matrix in 64-bit floats:
 * (x, y) -> ((m0 x + m1 y + m2) / w, (m3 x + m4 y + m5) / w), w = m6 x + m7 y + m8.
 */
export type Homography = readonly [number, number, number, number, number, number, number, number, number]

/**
 * The homography that maps the unit square's corners (0,0) (1,0) (1,1) (0,1) to the quad's. P. Heckbert,
 * Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3.
 */
export function homographyToQuad([p0, p1, p2, p3]: Quad): Homography {
  const dx1 = p1[0] - p2[0]
  const dx2 = p3[0] - p2[0]
  const dy1 = p1[1] - p2[1]
  const dy2 = p3[1] - p2[1]
  const sx = p0[0] - p1[0] + p2[0] - p3[0]
  const sy = p0[1] - p1[1] + p2[1] - p3[1]
  const det = dx1 * dy2 - dx2 * dy1
  const g = (sx * dy2 - dx2 * sy) / det
  const h = (dx1 * sy - sx * dy1) / det
  return [
    p1[0] - p0[0] + g * p1[0],
    p3[0] - p0[0] + h * p3[0],
    p0[0],
    p1[1] - p0[1] + g * p1[1],
    p3[1] - p0[1] + h * p3[1],
    p0[1],
    g,
    h,
    1,
  ]
}

/**
 * The homography that maps a scene point to (u, v), each 0..1 across the artwork. w is 1 at the mean of the
 * corners, so it is positive inside a convex quad; w <= 0 is behind the viewer.
 */
export function homographyFromQuad(quad: Quad): Homography {
  const m = adjugate(homographyToQuad(quad))
  const x = quad.reduce((sum, corner) => sum + corner[0] / 4, 0)
  const y = quad.reduce((sum, corner) => sum + corner[1] / 4, 0)
  return divide(m, m[6] * x + m[7] * y + m[8])
}

/** The inverse; if the determinant is 0, the adjugate, which maps to a line or a point. */
export function invertHomography(homography: Homography): Homography {
  const [a, b, c] = homography
  const m = adjugate(homography)
  const determinant = a * m[0] + b * m[3] + c * m[6]
  return divide(m, determinant === 0 ? 1 : determinant)
}

/** A homography's inverse up to a factor. */
function adjugate([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ]
}

function divide([m0, m1, m2, m3, m4, m5, m6, m7, m8]: Homography, by: number): Homography {
  return [m0 / by, m1 / by, m2 / by, m3 / by, m4 / by, m5 / by, m6 / by, m7 / by, m8 / by]
}
