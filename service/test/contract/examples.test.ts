import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { outputFormats } from '@vitrine/contract'
import openapi from '@vitrine/contract/openapi.json' with { type: 'json' }
import { checkBundle, prepareTemplate } from '@vitrine/engine'
import { createRenderer, createSharpCodec, openBundleFolder } from '@vitrine/engine/node'
import { starterPackFolder } from '../../src/first-run/starter-pack.ts'
import { describeArtwork } from '../../src/mockups/describe-artwork.ts'

/** The artwork at the examples' https://example.com/artwork.jpg. */
const ARTWORK = 'artworks/evening-hills.jpg'

/** Pictures that fit on a page. The requests of the examples ask for realistic sizes. */
const WIDTH_PX = 8
const QUALITY = 40

const codec = createSharpCodec()

describe('the answers in openapi.json', () => {
  const { responses } = openapi.paths['/mockups/generate'].post
  const { single, batch } = responses[200].content['application/json'].examples

  async function renderExample(templateId: string) {
    const files = await openBundleFolder(path.join(starterPackFolder, templateId))
    const { template } = await checkBundle(files, codec)
    assert.ok(template)
    const prepared = await prepareTemplate(template, files, WIDTH_PX, codec)
    const artworks = { bytes: await readFile(path.join(starterPackFolder, ARTWORK)) }
    const output = { format: 'jpeg', quality: QUALITY } as const
    const { bytes, artworks: shown } = await createRenderer().render({ prepared, artworks, output }, codec)
    return {
      template_id: templateId,
      image: Buffer.from(bytes).toString('base64'),
      format: output.format,
      content_type: outputFormats.jpeg.mediaType,
      size_bytes: bytes.byteLength,
      artwork: describeArtwork(shown),
    }
  }

  it('for one template is what the renderer returns', async () => {
    const { success, duration_ms, ...rendered } = single.value
    assert.equal(success, true)
    assert.ok(Number.isInteger(duration_ms))
    assert.deepEqual(rendered, await renderExample(rendered.template_id))
  })

  it('for several templates is what the renderer returns', async () => {
    const { results, count, total_size_bytes } = batch.value
    for (const result of results) assert.deepEqual(result, await renderExample(result.template_id))
    assert.equal(count, results.length)
    assert.equal(
      total_size_bytes,
      results.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    )
  })
})
