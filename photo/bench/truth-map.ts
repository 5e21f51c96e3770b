import {
  type BundleFiles,
  homographyFromQuad,
  type ImageCodec,
  type OpaquePixmap,
  type Point,
  type Quad,
  type Template,
} from '@vitrine/engine'

/** The artwork's coordinates and coverage in every pixel of a photo, as the scene's own layers say. */
export type TruthMap = {
  readonly widthPx: number
  readonly heightPx: number
  readonly u: Float32Array
  readonly v: Float32Array
  readonly mask: Float32Array
  /** linear light of the shade, per channel; zero outside */
  readonly shade: readonly Float32Array[]
}

/** What an estimate says of a point of the photo. */
export type Estimate = (x: number, y: number) => { readonly u: number; readonly v: number }

type Layer = { readonly image: string; readonly region: { x: number; y: number; width: number; height: number } | null }
type Stored = { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array | Uint16Array }

export async function readTruth(
  files: BundleFiles,
  template: Template,
  index: number,
  { widthPx, heightPx }: OpaquePixmap,
  codec: ImageCodec,
): Promise<{ truth: TruthMap; part: { name: string; coverage: Float32Array } | null }> {
  const frame = template.frames[index]
  if (!frame?.mask || !frame.lighting) throw new Error('Expected a lit frame with a mask.')
  const scene = await codec.decodeLayer(await files.read(template.scene), 'rgb')
  const scale = widthPx / scene.widthPx
  const planeOf = (
    { region }: Layer,
    stored: Stored,
    channels: number,
    channel: number,
    most: number,
  ): Float32Array => {
    const to = new Float32Array(widthPx * heightPx)
    const whole = { x: 0, y: 0, width: scene.widthPx, height: scene.heightPx }
    const { x: left, y: top, width, height } = region ?? whole
    const [x0, y0, w, h] = [left * scale, top * scale, width * scale, height * scale]
    for (let y = Math.max(0, Math.floor(y0)); y < Math.min(heightPx, y0 + h); y++) {
      for (let x = Math.max(0, Math.floor(x0)); x < Math.min(widthPx, x0 + w); x++) {
        const px = ((x + 0.5 - x0) * stored.widthPx) / w - 0.5
        const py = ((y + 0.5 - y0) * stored.heightPx) / h - 0.5
        to[y * widthPx + x] = bilinear(stored, channels, channel, px, py) / most
      }
    }
    return to
  }
  const read = async (layer: Layer, kind: 'coverage' | 'rgb' | 'uv') =>
    codec.decodeLayer(await files.read(layer.image), kind)
  const mask = planeOf(frame.mask, await read(frame.mask, 'coverage'), 1, 0, 255)
  const { placement } = frame
  const [u, v] =
    placement.kind === 'corners'
      ? planesOfQuad(placement.corners, scale, widthPx, heightPx)
      : await read(placement.uvmap, 'uv').then(map => [
          planeOf(placement.uvmap, map, 3, 0, 65_535),
          planeOf(placement.uvmap, map, 3, 1, 65_535),
        ])
  if (!u || !v) throw new Error('Expected a map.')
  const light = await read(frame.lighting.shade, 'rgb')
  const factor = frame.lighting.scale
  const shade = [0, 1, 2].map(channel => {
    const plane = planeOf(frame.lighting?.shade ?? { image: '', region: null }, light, 3, channel, 255)
    for (let i = 0; i < plane.length; i++) plane[i] = decode(plane[i] ?? 0) * factor
    return plane
  })
  const truth = { widthPx, heightPx, u, v, mask, shade }
  const area = template.colors.find(({ name }) => name === frame.surface)
  if (!area?.mask) return { truth, part: null }
  const coverage = planeOf(area.mask, await read(area.mask, 'coverage'), 1, 0, 255)
  for (let i = 0; i < coverage.length; i++) coverage[i] = Math.min(1, (coverage[i] ?? 0) + (mask[i] ?? 0))
  return { truth, part: { name: area.name, coverage } }
}

function decode(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4
}

function planesOfQuad(corners: Quad, scale: number, widthPx: number, heightPx: number): Float32Array[] {
  const scaled = corners.map(([x, y]): Point => [x * scale, y * scale])
  const [a, b, c, d] = scaled
  if (!a || !b || !c || !d) throw new Error('Expected four corners.')
  const m = homographyFromQuad([a, b, c, d])
  const u = new Float32Array(widthPx * heightPx)
  const v = new Float32Array(widthPx * heightPx)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      const [px, py] = [x + 0.5, y + 0.5]
      const w = m[6] * px + m[7] * py + m[8]
      u[i] = (m[0] * px + m[1] * py + m[2]) / w
      v[i] = (m[3] * px + m[4] * py + m[5]) / w
    }
  }
  return [u, v]
}

function bilinear(
  { widthPx, heightPx, data }: Stored,
  channels: number,
  channel: number,
  x: number,
  y: number,
): number {
  const px = Math.min(widthPx - 1.001, Math.max(0, x))
  const py = Math.min(heightPx - 1.001, Math.max(0, y))
  const [left, top] = [Math.floor(px), Math.floor(py)]
  const [a, b] = [px - left, py - top]
  const at = (dx: number, dy: number): number => data[((top + dy) * widthPx + left + dx) * channels + channel] ?? 0
  return (at(0, 0) * (1 - a) + at(1, 0) * a) * (1 - b) + (at(0, 1) * (1 - a) + at(1, 1) * a) * b
}

/** How u and v change around a pixel, from those two pixels beside it. */
function slopesAt({ widthPx, u, v }: TruthMap, i: number) {
  const along = (plane: Float32Array, step: number): number => ((plane[i + step] ?? 0) - (plane[i - step] ?? 0)) / 4
  const [ux, uy, vx, vy] = [along(u, 2), along(u, 2 * widthPx), along(v, 2), along(v, 2 * widthPx)]
  return { ux, uy, vx, vy, determinant: ux * vy - uy * vx }
}

/** By how many px a point of the photo would have to move for the true map to show what the estimate says. */
function moveAt(truth: TruthMap, i: number, u: number, v: number): [number, number] {
  const { ux, uy, vx, vy, determinant } = slopesAt(truth, i)
  const [du, dv] = [u - (truth.u[i] ?? 0), v - (truth.v[i] ?? 0)]
  return [(vy * du - uy * dv) / determinant, (ux * dv - vx * du) / determinant]
}

/** Errors of an estimate in px, on every `step`th pixel that shows artwork whole. */
export function mapErrors(truth: TruthMap, estimate: Estimate, step: number): Float64Array {
  const { widthPx, heightPx, mask } = truth
  const errors: number[] = []
  const isWhole = (i: number): boolean => (mask[i] ?? 0) >= 0.98
  for (let y = 2; y < heightPx - 2; y += step) {
    for (let x = 2; x < widthPx - 2; x += step) {
      const i = y * widthPx + x
      if (![i, i - 2, i + 2, i - 2 * widthPx, i + 2 * widthPx].every(isWhole)) continue
      const { u, v } = estimate(x + 0.5, y + 0.5)
      errors.push(Math.hypot(...moveAt(truth, i, u, v)))
    }
  }
  return Float64Array.from(errors)
}

/** Where the true map has a point of the artwork. */
export function locate(truth: TruthMap, u: number, v: number): Point {
  const { widthPx, heightPx, mask } = truth
  let [least, at] = [Infinity, 0]
  for (let y = 2; y < heightPx - 2; y += 3) {
    for (let x = 2; x < widthPx - 2; x += 3) {
      const i = y * widthPx + x
      if ((mask[i] ?? 0) < 0.9) continue
      const distance = ((truth.u[i] ?? 0) - u) ** 2 + ((truth.v[i] ?? 0) - v) ** 2
      if (distance < least) [least, at] = [distance, i]
    }
  }
  const [dx, dy] = moveAt(truth, at, u, v)
  return [(at % widthPx) + 0.5 + dx, Math.floor(at / widthPx) + 0.5 + dy]
}

/** An estimate with its best shift and scale in u and in v: what is left is shape, not placement. */
export function placeBest(truth: TruthMap, estimate: Estimate): Estimate {
  const fit = (axis: 'u' | 'v'): readonly [number, number] => {
    let [n, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0]
    for (let y = 2; y < truth.heightPx; y += 7) {
      for (let x = 2; x < truth.widthPx; x += 7) {
        const i = y * truth.widthPx + x
        if ((truth.mask[i] ?? 0) < 0.98) continue
        const [q, t] = [estimate(x + 0.5, y + 0.5)[axis], truth[axis][i] ?? 0]
        n++
        sx += q
        sy += t
        sxx += q * q
        sxy += q * t
      }
    }
    const slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return [(sy - slope * sx) / n, slope]
  }
  const [a, b] = fit('u')
  const [c, d] = fit('v')
  return (x, y) => {
    const { u, v } = estimate(x, y)
    return { u: a + b * u, v: c + d * v }
  }
}

export function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** The value below which 95 of 100 lie. */
export function p95Of(values: Float64Array): number {
  const sorted = values.slice().sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))] ?? 0
}
