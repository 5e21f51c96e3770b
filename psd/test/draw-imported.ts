import {
  composeMockup,
  type DecodedArtwork,
  type OpaquePixmap,
  parseTemplate,
  prepareTemplate,
  type StraightPixmap,
  type Template,
} from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { type ImportOptions, importPsd } from '../src/import-psd.ts'
import type { ImportReport } from '../src/import-report.ts'

export type Imported = {
  readonly report: ImportReport
  readonly template: Template
  /** the mockup of the artwork in every frame */
  readonly drawn: OpaquePixmap
}

const codec = createSharpCodec()
const kernel = createFrameKernel()

/** Imports a file and draws a mockup at the width of its scene. */
export async function drawImported(
  file: Uint8Array,
  artwork: DecodedArtwork,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  const store = new MemoryStore()
  const asked = { name: 'imported', frames: [], matte: [255, 255, 255] as const, ...options }
  const { report } = await importPsd(file, asked, { codec, kernel, store })
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await store.read('template.json'))))
  const prepared = await prepareTemplate(template, store, report.file.scene_width, codec, kernel)
  return {
    report,
    template,
    drawn: composeMockup(
      prepared,
      template.frames.map(() => artwork),
      kernel,
    ),
  }
}

export function asArtwork(picture: StraightPixmap): DecodedArtwork {
  const { widthPx, heightPx, data } = picture
  return {
    ...picture,
    extent: { left: 0, top: 0, width: widthPx, height: heightPx },
    decodedBy: 'general',
    sourceWidthPx: widthPx,
    sourceHeightPx: heightPx,
    isOpaque: data.every((value, i) => i % 4 !== 3 || value === 255),
  }
}

/** Artwork of 48 x 36: red is where a pixel lies across the design, green where it lies down. */
export const ramp = asArtwork({
  alpha: 'straight',
  widthPx: 48,
  heightPx: 36,
  data: Uint8Array.from({ length: 48 * 36 * 4 }, (_, i) => {
    const [x, y] = [(i >> 2) % 48, Math.floor((i >> 2) / 48)]
    return [5 * x, 7 * y, 0, 255][i & 3] ?? 0
  }),
})

/** Artwork of one colour, 48 x 36. */
export function flatArtwork([r, g, b]: readonly [number, number, number]): DecodedArtwork {
  const data = new Uint8Array(48 * 36 * 4)
  for (let i = 0; i < data.length; i += 4) data.set([r, g, b, 255], i)
  return asArtwork({ alpha: 'straight', widthPx: 48, heightPx: 36, data })
}

export function pixelAt({ data, widthPx }: OpaquePixmap, x: number, y: number): number[] {
  return [...data.subarray((y * widthPx + x) * 3, (y * widthPx + x) * 3 + 3)]
}
