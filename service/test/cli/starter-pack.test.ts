import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { outputFormatNames } from '@vitrine/contract'
import { inspectArtwork, parseTemplate } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { listStarterPack, starterPackFolder } from '../../src/first-run/starter-pack.ts'
import { ask, templateIds } from './api-calls.ts'
import { startVitrine, type VitrineServer } from './vitrine-server.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-pack-'))
after(() => rm(folder, { recursive: true, force: true }))
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const widthPx = isFull ? 4000 : 240
/** Ordinary runs render one of each kind. */
const ofEachKind = ['gallery-wall-three', 'oak-frame-portrait', 'white-mug-marble', 'white-tee-flat-lay']
const codec = createSharpCodec()

const pack = await Promise.all(
  listStarterPack().map(async bundle => {
    const template = parseTemplate(JSON.parse(await readFile(path.join(bundle, 'template.json'), 'utf8')))
    const scene = inspectArtwork(await readFile(path.join(bundle, template.scene)))
    return { bundle, template, scene }
  }),
)

describe('the bundled templates', () => {
  test('are twelve or more, each with a unique name', () => {
    assert.ok(pack.length >= 12, `${pack.length} templates`)
    assert.equal(new Set(pack.map(({ template }) => template.name)).size, pack.length)
    for (const { bundle, template } of pack) assert.equal(template.id, path.basename(bundle))
  })

  test('show both ways to place artwork and the formats that frames are sold in', () => {
    assert.deepEqual(new Set(pack.map(({ template }) => template.renderMode)), new Set(['corners', 'uvmap']))
    const ratios = pack.flatMap(({ template }) => template.frames.map(frame => frame.aspectRatio))
    for (const ratio of [2 / 3, 3 / 2, 1, 4 / 5])
      assert.ok(
        ratios.some(other => Math.abs(other / ratio - 1) < 0.01),
        `no frame of ${ratio}`,
      )
  })

  test('are lit, at least 2,400 px wide, under 4 MB, and come with a picture of 600 px', async () => {
    for (const { bundle, template, scene } of pack) {
      assert.ok(
        template.frames.every(frame => frame.lighting !== null),
        template.id,
      )
      assert.ok(scene.widthPx >= 2400, template.id)
      const files = (await readdir(bundle)).map(name => stat(path.join(bundle, name)))
      const sizeBytes = (await Promise.all(files)).reduce((sum, file) => sum + file.size, 0)
      assert.ok(sizeBytes < 4_000_000, `${template.id}: ${sizeBytes} bytes`)
      assert.ok(template.thumbnail !== null, template.id)
      const thumbnail = inspectArtwork(await readFile(path.join(bundle, template.thumbnail)))
      assert.equal(Math.max(thumbnail.widthPx, thumbnail.heightPx), 600, template.id)
    }
  })

  test('state their origin and licence, and that anyone may download their bundles', async () => {
    for (const { template } of pack) assert.equal(template.sharesBundle, true, template.id)
    const sources = await readFile(path.join(starterPackFolder, 'SOURCES.md'), 'utf8')
    for (const { bundle, template, scene } of pack) {
      assert.match(await readFile(path.join(bundle, 'LICENSE'), 'utf8'), new RegExp(`${template.id}[^]*CC0 1\\.0`))
      const row = sources.split('\n').find(line => line.startsWith(`| \`${template.id}\` |`))
      assert.ok(row?.includes(`| ${scene.widthPx} x ${scene.heightPx} |`), template.id)
    }
  })
})

describe(`after the first start, at ${widthPx} px`, () => {
  let server: VitrineServer
  let key = ''
  before(async () => {
    server = await startVitrine({ DATA_DIR: path.join(folder, 'data') })
    key = /vt_[0-9A-Za-z]{36}/.exec(server.output())?.[0] ?? ''
  })
  after(() => server.stop('SIGKILL'))

  async function render(templateId: string, format: string, artwork: string): Promise<Buffer> {
    const form = new FormData()
    form.set('template_id', templateId)
    form.set('width', `${widthPx}`)
    form.set('format', format)
    form.set('artwork', new Blob([await readFile(path.join(starterPackFolder, 'artworks', artwork))]), artwork)
    const answer = await ask(server, key, '/mockups/generate', { method: 'POST', body: form })
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.equal(answer.status, 200, `${templateId}: ${bytes.toString('utf8', 0, 300)}`)
    return bytes
  }

  test('are all imported', async () => {
    assert.deepEqual((await templateIds(server, key)).sort(), pack.map(({ template }) => template.id).sort())
  })

  for (const { template, scene } of pack.filter(each => isFull || ofEachKind.includes(each.template.id)))
    test(`${template.id} shows artwork, in every format`, async () => {
      const pictures = []
      // Different artworks in every format: where the pictures differ, the template shows the artwork.
      const artworks = ['evening-hills.jpg', 'mountain-logo.png']
      for (const [index, format] of outputFormatNames.entries()) {
        const bytes = await render(template.id, format, artworks[index % artworks.length] ?? '')
        const facts = inspectArtwork(bytes)
        const heightPx = Math.round((widthPx * scene.heightPx) / scene.widthPx)
        assert.deepEqual([facts.type, facts.widthPx, facts.heightPx], [format, widthPx, heightPx])
        pictures.push((await codec.decodeLayer(bytes, 'rgb')).data)
      }
      const [first, second] = pictures
      assert.ok(first !== undefined && second !== undefined)
      let changed = 0
      for (let i = 0; i < first.length; i += 3) if (Math.abs((first[i + 2] ?? 0) - (second[i + 2] ?? 0)) > 24) changed++
      const share = (changed * 3) / first.length
      assert.ok(
        share > 0.02 && share < 0.7,
        `${template.id}: the artwork is ${Math.round(100 * share)} % of the picture`,
      )
    })
})
