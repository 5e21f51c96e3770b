import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { letteringLike } from '../../bench/made-up-artwork.ts'
import { bundleOf, goodBundle } from '../../test/bundles/make-bundle.ts'
import type { BundleFiles } from '../template/bundle-files.ts'
import { parseTemplate } from '../template/parse-template.ts'
import { type PreparedTemplate, prepareTemplate } from '../template/prepare-template.ts'
import { createSharpCodec } from './create-sharp-codec.ts'
import { createRenderer } from './load-kernels.ts'
import { openBundleFolder } from './open-bundle-folder.ts'
import { packPrepared, unpackPrepared } from './prepared-file.ts'

const starterPack = path.resolve(import.meta.dirname, '../../../templates')
const codec = createSharpCodec()
const artwork = await codec.encode(letteringLike(), { format: 'png' })

async function prepare(files: BundleFiles, widthPx: number): Promise<PreparedTemplate> {
  const description = new TextDecoder().decode(await files.read('template.json'))
  return prepareTemplate(parseTemplate(JSON.parse(description)), files, widthPx, codec)
}

/** A mockup by a new renderer and a new codec. */
async function render(prepared: PreparedTemplate): Promise<Uint8Array> {
  const output = { format: 'jpeg', quality: 90 } as const
  return (await createRenderer().render({ prepared, artworks: { bytes: artwork }, output }, createSharpCodec())).bytes
}

const bundles: Record<string, BundleFiles> = {
  'lit, with an overlay': bundleOf(await goodBundle()),
  'lit, by corners, three frames': await openBundleFolder(path.join(starterPack, 'gallery-wall-three')),
  'by a map round a mug': await openBundleFolder(path.join(starterPack, 'white-mug-marble')),
}

for (const [name, files] of Object.entries(bundles)) {
  test(`a template read from its file draws the same bytes as the packed one: ${name}`, async () => {
    const prepared = await prepare(files, 413)
    const unpacked = unpackPrepared(Buffer.concat(packPrepared(prepared, 'a')), 'a')
    assert.deepEqual(unpacked, prepared)
    assert.ok(unpacked)
    assert.deepEqual(await render(unpacked), await render(prepared))
  })
}

test('a damaged, truncated, empty or misnamed file is not used', async () => {
  const prepared = await prepare(bundleOf(await goodBundle()), 50)
  const file = Buffer.concat(packPrepared(prepared, 'a'))
  assert.ok(unpackPrepared(file, 'a'))
  for (const at of [0, 31, 32, file.length >> 1, file.length - 1]) {
    const damaged = Buffer.from(file)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    assert.equal(unpackPrepared(damaged, 'a'), null, `byte ${at}`)
  }
  for (const length of [0, 31, 32, 33, file.length - 1])
    assert.equal(unpackPrepared(file.subarray(0, length), 'a'), null)
  assert.equal(unpackPrepared(file, 'b'), null)
})
