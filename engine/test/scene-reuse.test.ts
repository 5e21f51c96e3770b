import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import {
  type ImageCodec,
  type OpaquePixmap,
  type PictureOutput,
  type PreparedTemplate,
  parseTemplate,
  prepareTemplate,
  Renderer,
} from '../src/index.ts'
import { createPictureEncoder, createSharpCodec, openBundleFolder } from '../src/node/index.ts'

const starterPack = fileURLToPath(new URL('../../templates', import.meta.url))
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
/** Several frames, one without a colour, and a map with one; each with another output. */
const ofEachKind = ['gallery-wall-three', 'oak-frame-portrait', 'white-tee-flat-lay']
const bundles = readdirSync(starterPack, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && entry.name !== 'artworks')
  .map(entry => entry.name)
  .filter(name => isFull || ofEachKind.includes(name))
const artworks = await Promise.all(
  readdirSync(`${starterPack}/artworks`)
    .filter(name => /\.(jpg|png)$/.test(name))
    .map(name => readFile(`${starterPack}/artworks/${name}`)),
)
const outputs: readonly PictureOutput[] = [
  { format: 'jpeg', quality: 85 },
  { format: 'jpeg', quality: 97 },
  { format: 'png' },
]

async function prepare(bundle: string, widthPx: number, codec: ImageCodec): Promise<PreparedTemplate> {
  const files = await openBundleFolder(`${starterPack}/${bundle}`)
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  return prepareTemplate(template, files, widthPx, codec)
}

/** A codec that keeps the last picture that it was given to encode. */
function watched(codec: ImageCodec): { readonly codec: ImageCodec; readonly last: () => OpaquePixmap } {
  let picture: OpaquePixmap | null = null
  return {
    codec: {
      ...codec,
      encode: (given, output, backdrop) => {
        picture = { ...given, data: new Uint8Array(given.data) }
        return codec.encode(given, output, backdrop)
      },
    },
    last: () => picture ?? assert.fail('nothing was encoded'),
  }
}

/** Without a kernel, and with the last mockup's picture from one test to the next. */
const renderer = new Renderer(null, () => 0)

async function render(prepared: PreparedTemplate, artwork: Uint8Array, output: PictureOutput, codec: ImageCodec) {
  return (await renderer.render({ prepared, artworks: { bytes: artwork }, output }, codec)).bytes
}

for (const [i, bundle] of bundles.entries()) {
  // Each output with a third of the templates, or with all of them.
  const tried = isFull ? outputs : outputs.filter((_, output) => output === i % outputs.length)
  test(`${bundle}: the same request gives the same bytes, whatever was rendered before it`, async () => {
    const warm = createSharpCodec()
    const prepared = await prepare(bundle, 221, warm)
    const again = await prepare(bundle, 221, warm)
    for (const output of tried) {
      for (const artwork of isFull ? artworks : artworks.slice(-2)) await render(prepared, artwork, output, warm)
      for (const artwork of artworks.slice(0, 2)) {
        const expected = Buffer.from(await render(again, artwork, output, createSharpCodec()))
        assert.ok(expected.equals(await render(prepared, artwork, output, warm)), `${output.format} warm`)
        const none = createSharpCodec({ scenesBytes: 0 })
        assert.ok(expected.equals(await render(prepared, artwork, output, none)), `${output.format} without memory`)
      }
    }
  })

  test(`${bundle}: what is taken over from the scene shows exactly the mockup`, async () => {
    const { codec, last } = watched(createSharpCodec())
    const plain = createPictureEncoder()
    const prepared = await prepare(bundle, 233, codec)
    for (const artwork of artworks.slice(0, 2)) {
      const png = await render(prepared, artwork, { format: 'png' }, codec)
      assert.ok((await sharp(png).raw().toBuffer()).equals(last().data))
      const jpeg = await render(prepared, artwork, { format: 'jpeg', quality: 90 }, codec)
      const whole = plain.encode(last(), { format: 'jpeg', quality: 90 })
      // The same coefficients; the tables, and so the bytes, may be the scene's.
      assert.ok((await sharp(jpeg).raw().toBuffer()).equals(await sharp(whole).raw().toBuffer()))
      assert.ok(jpeg.length <= whole.length * 1.026 + 600)
    }
  })
}

test('the starter pack has bundles and artworks to test with', () => {
  assert.ok(bundles.length >= ofEachKind.length && artworks.length > 1)
})
