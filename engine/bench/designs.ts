import sharp from 'sharp'
import { loadWatermarkLetters } from '../src/node/index.ts'
import { createRandom } from '../test/reference/detail-artwork.ts'
import { makeArtwork } from './artworks.ts'

/** Artwork that print shops get as PNG. The same bytes on every run of a version of sharp. */
export const designs = {
  /** flat shapes over clear, as for a t-shirt */
  'design PNG, 4500 x 5400 with alpha': () => drawShapes(4500, 5400, false),
  /** shapes over a gradient */
  'illustration PNG, 3000 x 4500': () => drawShapes(3000, 4500, true),
  /** a photograph in an oval with a soft edge */
  'photograph PNG, 4500 x 5400 with alpha': () => cutOut(4500, 5400),
} satisfies Record<string, () => Promise<Uint8Array>>

export type DesignName = keyof typeof designs

/** Further artwork of this kind: decoded beside libvips, and not drawn into scenes. */
export const furtherDesigns = {
  /** lines of letters in one colour over clear */
  'text PNG, 4500 x 5400 with alpha': () => writeLines(4500, 5400),
  /** brush strokes with grain, to the edges */
  'painting PNG, 4500 x 5400 with alpha': () => paintStrokes(4500, 5400),
} satisfies Record<string, () => Promise<Uint8Array>>

export type FurtherDesignName = keyof typeof furtherDesigns

type Color = readonly [red: number, green: number, blue: number]

const top: Color = [39, 70, 144]
const bottom: Color = [247, 224, 160]

/** Discs and rings of flat colours, over clear or over a gradient. */
async function drawShapes(widthPx: number, heightPx: number, hasGround: boolean): Promise<Uint8Array> {
  const random = createRandom(1)
  const data = new Uint8Array(widthPx * heightPx * 4)
  if (hasGround) {
    for (let i = 0; i < data.length; i++) {
      const down = Math.floor(i / 4 / widthPx) / heightPx
      const channel = i & 3
      data[i] = channel === 3 ? 255 : (top[channel] ?? 0) * (1 - down) + (bottom[channel] ?? 0) * down
    }
  }
  for (let shape = 0; shape < 60; shape++) {
    const x = widthPx * (0.13 + 0.73 * random())
    const y = heightPx * (0.16 + 0.63 * random())
    const radius = widthPx * (0.02 + 0.11 * random())
    const thickness = shape % 3 === 0 ? radius : widthPx / 80
    const color: Color = [random() * 255, random() * 255, random() * 255]
    drawRing(data, widthPx, heightPx, [x, y], radius, thickness, color)
  }
  return encode(data, widthPx, heightPx, hasGround)
}

/** Design programs choose a filter for each row, as libpng does by default. */
function encode(data: Uint8Array, widthPx: number, heightPx: number, isOpaque = false): Promise<Uint8Array> {
  const picture = sharp(data, { raw: { width: widthPx, height: heightPx, channels: 4 } })
  return (isOpaque ? picture.removeAlpha() : picture).png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer()
}

/** All letters of watermarks as lines of text, each line moved along. */
async function writeLines(widthPx: number, heightPx: number): Promise<Uint8Array> {
  const { picture: letters } = await loadWatermarkLetters()
  const data = new Uint8Array(widthPx * heightPx * 4)
  for (let y = 0; y < heightPx; y++) {
    const line = Math.floor(y / letters.heightPx)
    for (let x = 0; x < widthPx; x++) {
      const column = (x + line * 137) % letters.widthPx
      const coverage = letters.data[(y % letters.heightPx) * letters.widthPx + column] ?? 0
      if (coverage > 0) data.set([24, 28, 60, coverage], (y * widthPx + x) * 4)
    }
  }
  return encode(data, widthPx, heightPx)
}

async function paintStrokes(widthPx: number, heightPx: number): Promise<Uint8Array> {
  const random = createRandom(2)
  const data = new Uint8Array(widthPx * heightPx * 4).fill(255)
  for (let stroke = 0; stroke < 1500; stroke++) {
    const radius = widthPx * (0.01 + 0.04 * random())
    const place = [widthPx * random(), heightPx * random()] as const
    drawRing(data, widthPx, heightPx, place, radius, radius / 2, [random() * 255, random() * 255, random() * 255])
  }
  for (let i = 0; i < data.length; i += 4) {
    const grain = random() * 24 - 12
    for (let channel = i; channel < i + 3; channel++)
      data[channel] = Math.max(0, Math.min(255, Math.round((data[channel] ?? 0) + grain)))
  }
  return encode(data, widthPx, heightPx)
}

/** A ring over what is there, its edges smooth; a disc where it is as thick as its radius. */
function drawRing(
  data: Uint8Array,
  widthPx: number,
  heightPx: number,
  [centreX, centreY]: readonly [number, number],
  radius: number,
  thickness: number,
  color: Color,
): void {
  const end = (at: number, size: number): number => Math.min(size, Math.ceil(at + radius + 1))
  for (let y = Math.max(0, Math.floor(centreY - radius - 1)); y < end(centreY, heightPx); y++) {
    for (let x = Math.max(0, Math.floor(centreX - radius - 1)); x < end(centreX, widthPx); x++) {
      const distance = Math.hypot(x + 0.5 - centreX, y + 0.5 - centreY)
      const inside = Math.min(radius - distance, distance - radius + thickness + (thickness === radius ? 1 : 0))
      const share = Math.max(0, Math.min(1, inside + 0.5))
      if (share === 0) continue
      const at = (y * widthPx + x) * 4
      const before = (data[at + 3] ?? 0) / 255
      const alpha = share + before * (1 - share)
      for (let channel = 0; channel < 3; channel++) {
        const under = (data[at + channel] ?? 0) * before * (1 - share)
        data[at + channel] = Math.round(((color[channel] ?? 0) * share + under) / alpha)
      }
      data[at + 3] = Math.round(alpha * 255)
    }
  }
}

async function cutOut(widthPx: number, heightPx: number): Promise<Uint8Array> {
  const photograph = await makeArtwork(widthPx, heightPx, 'jpeg')
  const { data } = await sharp(photograph).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  for (let i = 0; i < data.length; i += 4) {
    const x = ((i >> 2) % widthPx) / widthPx - 0.5
    const y = Math.floor((i >> 2) / widthPx) / heightPx - 0.5
    const alpha = Math.max(0, Math.min(1, (0.46 - Math.hypot(x, y)) * 100))
    if (alpha === 0) data.fill(0, i, i + 4)
    else data[i + 3] = Math.round(alpha * 255)
  }
  return encode(data, widthPx, heightPx)
}
