import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharpCodec } from '../src/node/create-sharp-codec.ts'
import { Renderer } from '../src/render.ts'
import { enlargePicture } from '../src/sampling/enlarge-picture.ts'
import { checkBundle } from '../src/template/check-bundle.ts'
import { prepareTemplate } from '../src/template/prepare-template.ts'
import { bundleOf, jsonBytes, png } from './bundles/make-bundle.ts'

const codec = createSharpCodec()
const corners = [
  [10, 10],
  [90, 10],
  [90, 90],
  [10, 90],
]

async function bundleWith(changes: object) {
  return bundleOf({
    'template.json': jsonBytes({
      format: 1,
      id: 'limited',
      name: 'Limited',
      category: 'Test',
      type: 'print',
      render_mode: 'corners',
      scene: 'scene.png',
      frames: [{ aspect_ratio: 1, corners }],
      ...changes,
    }),
    'scene.png': await png(100, 100),
  })
}

async function renderAt(widthPx: number, changes: object) {
  const files = await bundleWith(changes)
  const { template, faults, cost } = await checkBundle(files, codec)
  assert.ok(template && cost, JSON.stringify(faults))
  const prepared = await prepareTemplate(template, files, widthPx, codec)
  const artworks = { bytes: await png(40, 40, 'b-w') }
  const mockup = await new Renderer(null, () => 0).render({ prepared, artworks, output: { format: 'png' } }, codec)
  return { ...mockup, cost, pixels: await codec.decodeLayer(mockup.bytes, 'rgb') }
}

test('a template is drawn up to its greatest width, and wider mockups are enlarged from that', async () => {
  const changes = { max_width: 400 }
  const [drawn, wide] = [await renderAt(400, changes), await renderAt(900, changes)]
  assert.deepEqual([wide.widthPx, wide.heightPx], [900, 900])
  const enlarged = enlargePicture(drawn.pixels, 900, 900)
  assert.equal(Buffer.compare(wide.pixels.data, enlarged.data), 0)
  assert.equal(Buffer.compare(drawn.bytes, (await renderAt(400, {})).bytes), 0)
  const [shownWide, shownDrawn] = [wide.artworks[0]?.density ?? 0, drawn.artworks[0]?.density ?? 0]
  assert.ok(Math.abs(shownWide - (shownDrawn * 400) / 900) < 1e-9)
})

test('its cost is counted at that width', async () => {
  const [limited, free] = [await renderAt(400, { max_width: 1000 }), await renderAt(400, {})]
  assert.equal(limited.cost.widthPx, 1000)
  assert.equal(free.cost.widthPx, 4000)
  assert.ok(limited.cost.memoryBytes < free.cost.memoryBytes / 2)
  assert.ok(limited.cost.parts.frames.timeMs < free.cost.parts.frames.timeMs / 10)
})
