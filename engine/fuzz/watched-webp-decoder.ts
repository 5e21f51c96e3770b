import { readFile } from 'node:fs/promises'
import * as records from '../kernels/assembly/reduction/records.ts'
import { MOST_GROUPS, SORTED } from '../kernels/assembly/webp/records.ts'
import { kernelFile } from '../kernels/build.ts'
import type { ArtworkFacts } from '../src/artwork/artwork-facts.ts'
import { SLACK_BYTES } from '../src/decoding/reduction/result-layout.ts'
import { WebpDecoder } from '../src/decoding/webp/webp-decoder.ts'
import type { RegionName, WebpLayout } from '../src/decoding/webp/webp-layout.ts'
import { READ, WRITE } from './watched-kernel.ts'
import { WatchedReducingDecoder } from './watched-reducing-decoder.ts'

/**
 * Work on lossy data is linear in the macroblocks, of which each has 400 coefficients at most, in the bytes,
 * and in what is computed. What reads beyond its data ends with the macroblock. Work on lossless data is
 * linear in the pixels, the rows, the bytes, and the groups of codes that bytes and tiles allow. Half of this
 * is taken by the worst files.
 */
function instructionBoundOf(bytes: Uint8Array, layout: WebpLayout, facts: ArtworkFacts): number {
  const { storedWidthPx, storedHeightPx } = facts
  const pixels = storedWidthPx * storedHeightPx
  const blocks = Math.ceil(storedWidthPx / 16) * Math.ceil(storedHeightPx / 16)
  const ofFrame = layout.isLossless ? 0 : 200_000 + 250_000 * blocks + 10 * bytes.length
  const ofAlpha = layout.isLossless || layout.alpha === null ? 0 : 50 * pixels
  if (!layout.isLossless && !layout.alpha?.stream) return ofFrame + ofAlpha
  const tiles = Math.ceil(storedWidthPx / 4) * Math.ceil(storedHeightPx / 4)
  const groups = Math.min(MOST_GROUPS, 16 + tiles, bytes.length / 15)
  return ofFrame + ofAlpha + 1_000_000 + 70_000 * groups + 400 * pixels + 2500 * storedHeightPx + 500 * bytes.length
}

const uses: Readonly<Record<RegionName, number>> = {
  input: READ | WRITE,
  blocks: READ | WRITE,
  planes: READ | WRITE,
  ring: READ | WRITE,
  images: READ | WRITE,
  codes: READ | WRITE,
  alpha: READ | WRITE,
  row: READ | WRITE,
  out: WRITE,
  tables: READ,
  sums: READ | WRITE,
  middle: READ | WRITE,
  band: READ | WRITE,
}

/** The module's own memory, that of the reduction, the picture's description, and that of codes. */
const fixedUses = [
  [0, READ | WRITE],
  [records.BAND_SPANS, READ | WRITE],
  [records.PICTURE, READ],
  [SORTED, READ | WRITE],
  [records.DYNAMIC, 0],
] as const

/** Our WebP decoder. */
export class WatchedWebpDecoder extends WatchedReducingDecoder<RegionName, WebpLayout> {
  constructor(kernel: Uint8Array, probes: Uint8Array) {
    super(kernel, probes, {
      uses: { fixed: fixedUses, regions: uses, slackBytes: SLACK_BYTES },
      make: (module, memory, watch) => new WebpDecoder(module, memory, watch),
      instructionBoundOf,
    })
  }

  /** With the committed kernel. */
  static async load(): Promise<WatchedWebpDecoder> {
    return new WatchedWebpDecoder(
      await readFile(kernelFile('webp-decoder-relaxed')),
      await readFile(kernelFile('probes')),
    )
  }
}
