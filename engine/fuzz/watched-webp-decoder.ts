import { readFile } from 'node:fs/promises'
import * as records from '../kernels/assembly/reduction/records.ts'
import { compileAssembly, kernelFile } from '../kernels/build.ts'
import type { ArtworkFacts } from '../src/artwork/artwork-facts.ts'
import { SLACK_BYTES } from '../src/decoding/reduction/result-layout.ts'
import { WebpDecoder } from '../src/decoding/webp/webp-decoder.ts'
import type { RegionName, WebpLayout } from '../src/decoding/webp/webp-layout.ts'
import { READ, WRITE } from './watched-kernel.ts'
import { WatchedReducingDecoder } from './watched-reducing-decoder.ts'

/**
 * Work is linear in the macroblocks, of which each has 400 coefficients at most, in the bytes, and in what is
 * computed. What reads beyond its data ends with the macroblock. Half of this is taken by the worst files.
 */
function instructionBoundOf(bytes: Uint8Array, _: WebpLayout, facts: ArtworkFacts): number {
  const blocks = Math.ceil(facts.storedWidthPx / 16) * Math.ceil(facts.storedHeightPx / 16)
  return 200_000 + 250_000 * blocks + 10 * bytes.length
}

const uses: Readonly<Record<RegionName, number>> = {
  input: READ | WRITE,
  blocks: READ | WRITE,
  planes: READ | WRITE,
  row: READ | WRITE,
  out: WRITE,
  tables: READ,
  sums: READ | WRITE,
  middle: READ | WRITE,
  band: READ | WRITE,
}

/** The module's own memory, that of the reduction, and the picture's description. */
const fixedUses = [
  [0, READ | WRITE],
  [records.BAND_SPANS, READ | WRITE],
  [records.PICTURE, READ],
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

  /** With the committed kernel. Compiling the probes takes a second or two. */
  static async load(): Promise<WatchedWebpDecoder> {
    return new WatchedWebpDecoder(await readFile(kernelFile('webp-decoder-relaxed')), await compileAssembly('probes'))
  }
}
