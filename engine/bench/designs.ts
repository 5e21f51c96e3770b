import sharp from 'sharp'
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
  const picture = sharp(data, { raw: { width: widthPx, height: heightPx, channels: 4 } })
  // Design programs choose a filter for each row, as libpng does by default.
  const options = { compressionLevel: 6, adaptiveFiltering: true }
  return (hasGround ? picture.removeAlpha() : picture).png(options).toBuffer()
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
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 4 } })
    .png({ compressionLevel: 6, adaptiveFiltering: true })
    .toBuffer()
}
