import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { kernelFile } from '../../kernels/build.ts'
import { WebpDecoder } from '../../src/decoding/webp/webp-decoder.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'

/** What Node runs, and what browsers do. */
export const builds = [
  ['relaxed', new WebpDecoder(loadKernels().get('webp-decoder'))],
  ['plain', new WebpDecoder(new WebAssembly.Module(await readFile(kernelFile('webp-decoder'))))],
] as const

/** What libwebp makes of it. */
export async function bySharp(file: Uint8Array): Promise<Buffer> {
  return sharp(file, { failOn: 'warning' }).ensureAlpha().raw().toBuffer()
}

/** Both builds give libwebp's picture. */
export async function assertEqual(file: Buffer, name: string): Promise<void> {
  const expected = await bySharp(file)
  const isAllOpaque = expected.every((sample, i) => i % 4 !== 3 || sample === 255)
  for (const [build, one] of builds) {
    const { data, isOpaque } = one.decode(file)
    assert.ok(expected.equals(data), `${name}, ${build}`)
    assert.equal(isOpaque, isAllOpaque, name)
  }
}
