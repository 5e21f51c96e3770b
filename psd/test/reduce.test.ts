import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkBundle } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { averagePlane, reductionTo } from '../src/converting/area-average.ts'
import { type ImportResult, importPsd } from '../src/import-psd.ts'
import { MAX_SCENE_SIDE_PX } from '../src/limits.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { paint, pixelLayer, writePsd } from './make-psd.ts'
import { MOCKUP_WIDTH, mockupPsd } from './mockup-file.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()
const matte = [255, 255, 255] as const

async function importAt(widthPx: number, file: Uint8Array): Promise<ImportResult & { readonly store: MemoryStore }> {
  const store = new MemoryStore()
  const result = await importPsd(file, { name: 'Small mockup', frames: [], matte, widthPx }, { codec, kernel, store })
  return { ...result, store }
}

describe('a template that is smaller than its file', () => {
  test('shows what Photoshop shows, with frame, mask and layers where they were', async () => {
    const hidden = paint(96, 72, x => (x < 44 ? [255, 255, 255] : [0, 0, 0]))
    const mask = { top: 0, left: 0, bottom: 72, right: 96, defaultColor: 0, imageData: hidden }
    for (const [file, masks] of [
      [mockupPsd(), 0],
      // Its saved picture is not of a masked design: what is compared is the part that shows.
      [mockupPsd({ design: { mask } }), 1],
    ] as const) {
      const { report, store } = await importAt(61, file)
      assert.equal(report.result, 'verified')
      assert.deepEqual([report.file.width, report.file.scene_width, report.file.scene_height], [96, 61, 46])
      assert.ok((report.frames[0]?.check?.blurred_mean ?? 9) < 0.5, `${report.frames[0]?.check?.blurred_mean}`)
      const { template, faults } = await checkBundle(store, codec)
      assert.deepEqual(faults, [])
      const [frame] = template?.frames ?? []
      assert.ok(frame?.placement.kind === 'corners')
      assert.ok(Math.abs((frame.placement.corners[0][0] * 96) / 61 - 20) < 0.01)
      assert.equal([...store.files.keys()].filter(name => name.includes('mask')).length, masks)
    }
  })

  test('is refused where it would be larger than the file', async () => {
    await assert.rejects(importAt(MOCKUP_WIDTH + 1, mockupPsd()), (error: unknown) => {
      assert.ok(error instanceof PsdRefusedError)
      assert.match(error.message, /is 96 pixels wide, and a template of it 97 pixels wide would be blurred/)
      return true
    })
  })

  test('may be of a file that is larger than a scene, whose refusal says so', async () => {
    const wide = writePsd(MAX_SCENE_SIDE_PX + 100, 2100, [pixelLayer('ground', 0, 0, paint(8, 8, [9, 9, 9]))])
    const messageAt = async (widthPx: number): Promise<string> => {
      const refused: unknown = await importAt(widthPx, wide).catch((error: unknown) => error)
      assert.ok(refused instanceof PsdRefusedError)
      return refused.message
    }
    const whole = await messageAt(MAX_SCENE_SIDE_PX + 100)
    const [, proposed] = /--width (\d+)\.$/.exec(whole) ?? []
    assert.ok(Number(proposed) > 7900 && Number(proposed) <= MAX_SCENE_SIDE_PX, whole)
    // Nothing else is wrong with its size.
    assert.match(await messageAt(Number(proposed)), /no smart object/)
  })

  test('is a mean by area at every ratio', () => {
    for (const widthPx of [1, 7, 50, 99, 100]) {
      const reduction = reductionTo({ left: 0, top: 0, widthPx: 100, heightPx: 80 }, widthPx)
      const ramp = averagePlane(
        rect =>
          Float32Array.from({ length: rect.widthPx * rect.heightPx }, (_, k) => rect.left + (k % rect.widthPx) + 0.5),
        reduction.reduced,
        reduction,
      )
      const sum = ramp.reduce((a, b) => a + b, 0) / (reduction.scaleX * reduction.scaleY)
      assert.ok(Math.abs(sum / (100 * 80 * 50) - 1) < 1e-5, `${widthPx} px: ${sum}`)
      // The mean of a ramp over a pixel is its value at the centre; the ramp's own steps add up to an eighth.
      for (const [k, value] of ramp.entries()) {
        const wanted = ((k % widthPx) + 0.5) / reduction.scaleX
        assert.ok(Math.abs(value - wanted) < 0.13, `${widthPx} px, pixel ${k}: ${value}, not ${wanted}`)
      }
    }
  })
})
