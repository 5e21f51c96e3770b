import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import * as records from '../kernels/assembly/png/records.ts'
import * as shared from '../kernels/assembly/reduction/records.ts'
import { kernelFile } from '../kernels/build.ts'
import type { ArtworkFacts } from '../src/artwork/artwork-facts.ts'
import { PngDecoder } from '../src/decoding/png/png-decoder.ts'
import type { PngLayout, RegionName } from '../src/decoding/png/png-layout.ts'
import { SLACK_BYTES } from '../src/decoding/reduction/result-layout.ts'
import { READ, WRITE } from './watched-kernel.ts'
import { WatchedReducingDecoder } from './watched-reducing-decoder.ts'

/**
 * Work is linear in a file's bytes, its blocks (of which the layout allows so many), and its claimed size,
 * which the bytes bound: a byte inflates to 1,032 at most. Half of this is taken by the worst files known.
 */
function instructionBoundOf(bytes: Uint8Array, { mostBlocks }: PngLayout, facts: ArtworkFacts): number {
  const rowsBytes = facts.storedHeightPx * (1 + (facts.storedWidthPx * facts.bitsPerChannel) / 2)
  return 200_000 + 200_000 * mostBlocks + 100 * bytes.length + 60 * rowsBytes
}

const uses: Readonly<Record<RegionName, number>> = {
  input: READ | WRITE,
  window: READ | WRITE,
  palette: READ,
  row: READ | WRITE,
  stored: READ | WRITE,
  out: WRITE,
  tables: READ,
  sums: READ | WRITE,
  middle: READ | WRITE,
  band: READ | WRITE,
}

/** The module's own constants, tables of codes, and the picture's description. */
const fixedUses = [
  [0, READ],
  [records.FIXED, READ | WRITE],
  [shared.PICTURE, READ],
  [shared.DYNAMIC, 0],
] as const

/** Our PNG decoder. */
export class WatchedPngDecoder extends WatchedReducingDecoder<RegionName, PngLayout> {
  constructor(kernel: Uint8Array, probes: Uint8Array) {
    super(kernel, probes, {
      uses: { fixed: fixedUses, regions: uses, slackBytes: SLACK_BYTES },
      make: (module, memory, watch) => new PngDecoder(module, crc32, memory, watch),
      instructionBoundOf,
    })
  }

  /** With the committed kernel. */
  static async load(): Promise<WatchedPngDecoder> {
    return new WatchedPngDecoder(
      await readFile(kernelFile('png-decoder-relaxed')),
      await readFile(kernelFile('probes')),
    )
  }
}
