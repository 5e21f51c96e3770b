import { encodePng } from '@vitrine/engine'
import { sharp } from '../../engine/src/node/hardened-sharp.ts'
import { createRandom } from '../src/numerics/random.ts'

/** Artworks of one ratio: like a photo, white, and clear. */
export type Artworks = {
  readonly photo: Uint8Array
  readonly white: Uint8Array
  readonly clear: Uint8Array
  readonly logo: Uint8Array
}

const LONG_SIDE_PX = 1600

/** A sunset, blobs and noise: colours, darks and edges of all sizes; and a logo with transparency. */
export async function drawArtworks(ratio: number): Promise<Artworks> {
  // Artwork of customers is never SVG, so that its loader is blocked; here it is ours.
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })
  const width = Math.round(ratio >= 1 ? LONG_SIDE_PX : LONG_SIDE_PX * ratio)
  const height = Math.round(width / ratio)
  const draw = async (content: string): Promise<Uint8Array> => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
    return sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer()
  }
  const plain = (channels: 3 | 4, value: number): Promise<Uint8Array> =>
    encodePng({ widthPx: 64, heightPx: 64, channels, samples: new Uint8Array(64 * 64 * channels).fill(value) })
  return {
    photo: await draw(photoLike(width, height)),
    logo: await draw(logo(width, height)),
    white: await plain(3, 255),
    clear: await plain(4, 0),
  }
}

function photoLike(width: number, height: number): string {
  const blobs = Array.from({ length: 26 }, (_, i) => {
    const uniform = createRandom(i + 5)
    const place = `cx="${uniform() * width}" cy="${height * (0.35 + 0.6 * uniform())}"`
    const size = `rx="${width * (0.04 + 0.12 * uniform())}" ry="${height * (0.03 + 0.08 * uniform())}"`
    const color = `hsl(${Math.floor(uniform() * 360)},${40 + Math.floor(40 * uniform())}%,${20 + Math.floor(50 * uniform())}%)`
    return `<ellipse ${place} ${size} fill="${color}" opacity="0.8"/>`
  }).join('')
  const stops =
    '<stop stop-color="#27486f"/><stop offset=".4" stop-color="#e9a66c"/><stop offset=".55" stop-color="#6a4b52"/><stop offset="1" stop-color="#122019"/>'
  const noise =
    '<feTurbulence type="fractalNoise" baseFrequency=".012" numOctaves="5" seed="4"/><feColorMatrix values="1.2 0 0 0 -.1 0 1.2 0 0 -.1 0 0 1.2 0 -.1 0 0 0 0 .45"/>'
  return [
    `<defs><linearGradient id="g" x2="0" y2="1">${stops}</linearGradient><filter id="t">${noise}</filter>`,
    '<filter id="b"><feGaussianBlur stdDeviation="5"/></filter></defs>',
    `<rect width="${width}" height="${height}" fill="url(#g)"/><g filter="url(#b)">${blobs}</g>`,
    `<rect width="${width}" height="${height}" filter="url(#t)"/>`,
    `<circle cx="${0.7 * width}" cy="${0.25 * height}" r="${0.09 * width}" fill="#ffe9c0"/>`,
  ].join('')
}

function logo(width: number, height: number): string {
  const scale = Math.min(width, height) / 1000
  return [
    `<g transform="translate(${width / 2} ${height / 2}) scale(${scale})">`,
    '<circle r="400" fill="none" stroke="#c8102e" stroke-width="44"/>',
    '<path d="M-260 160 L-60 -190 L60 0 L130 -90 L280 160Z" fill="#1b4d8f"/><circle cx="150" cy="-210" r="64" fill="#f2b705"/>',
    '<text y="290" font-size="130" text-anchor="middle" font-family="DejaVu Sans" font-weight="bold" fill="#c8102e">NORDEN</text></g>',
  ].join('')
}
