import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { crc32 } from 'node:zlib'
import { Random } from '../../fuzz/random.ts'
import { DYNAMIC } from '../../kernels/assembly/reduction/records.ts'
import { kernelFile } from '../../kernels/build.ts'
import { writeCrcTables } from '../../src/decoding/png/crc-tables.ts'
import { KernelInstance } from '../../src/webassembly/kernel-instance.ts'

it('the decoder’s checksum is zlib’s, for bytes of any number and place, all at once and in pieces', async () => {
  const random = new Random(5)
  const bytes = Uint8Array.from({ length: 3000 }, () => random.below(256))
  for (const name of ['png-decoder', 'png-decoder-relaxed'] as const) {
    const kernel = new KernelInstance(new WebAssembly.Module(await readFile(kernelFile(name))))
    kernel.reserve(DYNAMIC + 4096)
    writeCrcTables(new DataView(kernel.bytes.buffer))
    const addToCrc = kernel.function('addToCrc')
    for (let size = 0; size < 2000; size += size < 700 ? 1 : 37) {
      const offset = random.below(64)
      const at = DYNAMIC + offset
      kernel.bytes.set(bytes.subarray(offset, offset + size), at)
      const before = kernel.bytes.slice(DYNAMIC)
      const expected = crc32(bytes.subarray(offset, offset + size))
      assert.equal(~addToCrc(-1, at, size) >>> 0, expected, `${name}, ${size} bytes`)
      const first = random.below(size + 1)
      assert.equal(~addToCrc(addToCrc(-1, at, first), at + first, size - first) >>> 0, expected, `${name}, ${first}`)
      assert.deepEqual(kernel.bytes.subarray(DYNAMIC), before, 'the bytes are left as they are')
    }
  }
})
