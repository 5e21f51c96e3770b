import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTemplate, prepareTemplate } from '../src/index.ts'
import { createSharpCodec } from '../src/node/index.ts'
import type { OpaquePixmap } from '../src/pixmap.ts'

const template = parseTemplate({
  format: 1,
  id: 'scaling',
  name: 'Scaling',
  category: 'Test',
  type: 'print',
  render_mode: 'corners',
  scene: 'scene.png',
  frames: [
    {
      aspect_ratio: 1,
      corners: [
        [1, 1],
        [2, 1],
        [2, 2],
        [1, 2],
      ],
    },
  ],
})

/** Waves of several lengths: a shift of a tenth of a pixel shows. */
function buildWaves(widthPx: number, heightPx: number): OpaquePixmap {
  const data = new Uint8Array(widthPx * heightPx * 3)
  for (let y = 0, i = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      for (const wave of [9, 13, 22])
        data[i++] = Math.round(128 + 60 * Math.sin((x + 0.5) / wave) + 50 * Math.cos((y + 0.5) / wave))
  return { alpha: 'opaque', widthPx, heightPx, data }
}

/** Turned by half a circle. */
function turn(picture: OpaquePixmap): OpaquePixmap {
  const data = new Uint8Array(picture.data.length)
  const count = data.length / 3
  for (let i = 0; i < count; i++) data.set(picture.data.subarray(i * 3, i * 3 + 3), (count - 1 - i) * 3)
  return { ...picture, data }
}

for (const widthPx of [45, 80, 120, 180, 240]) {
  test(`a scene of 120 px at ${widthPx} px has not moved: turned before or after, it is the same picture`, async () => {
    const codec = createSharpCodec()
    const waves = buildWaves(120, 90)
    const prepared = async (scene: OpaquePixmap) => {
      const bytes = await codec.encode(scene, { format: 'png' })
      return (await prepareTemplate(template, { read: async () => bytes }, widthPx, codec)).empty
    }
    const [straight, turned] = [await prepared(waves), turn(await prepared(turn(waves)))]
    const greatest = straight.data.reduce(
      (most, value, i) => Math.max(most, Math.abs(value - (turned.data[i] ?? 0))),
      0,
    )
    assert.ok(greatest <= 1, `greatest difference ${greatest} of 255`)
  })
}
