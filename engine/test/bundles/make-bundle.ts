import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sharp } from '../../src/node/hardened-sharp.ts'
import type { BundleFiles } from '../../src/template/bundle-files.ts'

/** A bundle in memory, from its files. */
export function bundleOf(files: Readonly<Record<string, Uint8Array>>): BundleFiles {
  return {
    list: async () => Object.entries(files).map(([name, bytes]) => ({ path: name, sizeBytes: bytes.byteLength })),
    read: async name => {
      const bytes = files[name]
      if (bytes === undefined) throw new Error(`no ${name}`)
      return bytes
    },
  }
}

export async function writeBundle(directory: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true })
    await writeFile(path.join(directory, name), bytes)
  }
}

export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

type Raw = 'b-w' | 'srgb' | 'rgb16' | 'grey16'

const channels = { 'b-w': 1, srgb: 3, rgb16: 3, grey16: 1 } as const

/** A PNG of one value in all channels. */
export async function png(widthPx: number, heightPx: number, space: Raw = 'srgb', value = 128): Promise<Uint8Array> {
  const length = widthPx * heightPx * channels[space]
  const data =
    space === 'rgb16' || space === 'grey16' ? new Uint16Array(length).fill(value) : new Uint8Array(length).fill(value)
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: channels[space] } })
    .toColourspace(space)
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** A whole bundle of one lit frame with corners, an overlay and a thumbnail, that has no fault. */
export async function goodBundle(): Promise<Record<string, Uint8Array>> {
  return {
    'template.json': jsonBytes(goodDescription()),
    'scene.png': await png(120, 90),
    'layers/mask.png': await png(60, 45, 'b-w', 255),
    'layers/shade.png': await png(30, 22),
    'layers/highlights.png': await png(30, 22, 'srgb', 3),
    'front.png': await png(120, 90),
    'thumbnail.png': await png(40, 30),
  }
}

export function goodDescription(): Record<string, unknown> & {
  frames: Record<string, unknown>[]
  overlays: Record<string, unknown>[]
} {
  return {
    format: 1,
    id: 'oak-frame',
    name: 'Oak frame',
    category: 'Wall Art',
    type: 'product',
    surface_type: 'paper',
    render_mode: 'corners',
    scene: 'scene.png',
    tone: 'shoulder0.7',
    frames: [
      {
        aspect_ratio: 0.75,
        corners: [
          [10.5, 10],
          [70, 12],
          [70, 80],
          [9, 78],
        ],
        mask: 'layers/mask.png',
        surface_color: '#fAfaF0',
        lighting: {
          shade: { image: 'layers/shade.png', region: [5, 5, 70, 80] },
          highlights: 'layers/highlights.png',
          scale: 1.5,
        },
      },
    ],
    overlays: [{ image: 'front.png', blending_mode: 'screen', opacity: 0.5 }],
    thumbnail: 'thumbnail.png',
  }
}

/** The same with a frame by map and without light. */
export async function goodMapBundle(): Promise<Record<string, Uint8Array>> {
  return {
    'template.json': jsonBytes(goodMapDescription()),
    'scene.png': await png(120, 90),
    'uv.png': await png(120, 90, 'rgb16', 30_000),
  }
}

export function goodMapDescription(): Record<string, unknown> & { frames: Record<string, unknown>[] } {
  return {
    format: 1,
    id: 'mug',
    name: 'Mug',
    category: 'Mugs',
    type: 'product',
    surface_type: 'ceramic',
    render_mode: 'uvmap',
    blending_mode: 'multiply',
    scene: 'scene.png',
    frames: [{ aspect_ratio: 2.2, uvmap: 'uv.png' }],
  }
}
