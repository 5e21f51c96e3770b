import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { z } from 'zod'
import type { Quad } from '../quad.ts'
import { findFrames } from './find-frames.ts'
import type { Pixels } from './plane.ts'

const WIDTH_PX = 1600
const corner = z.tuple([z.number(), z.number()])
const template = z.object({
  scene: z.string(),
  frames: z.array(z.object({ corners: z.tuple([corner, corner, corner, corner]) })),
})

/** A scene of the starters in `WIDTH_PX`, with the frames that its renderer knows. */
async function starter(id: string): Promise<{ pixels: Pixels; frames: readonly Quad[] }> {
  const folder = new URL(`../../../../templates/${id}/`, import.meta.url)
  const { scene, frames } = template.parse(JSON.parse(await readFile(new URL(`${folder}template.json`), 'utf8')))
  const { data, info } = await sharp(new URL(`${folder}${scene}`).pathname)
    .resize({ width: WIDTH_PX })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width } = await sharp(new URL(`${folder}${scene}`).pathname).metadata()
  const inPixels = ([x, y]: Quad[number]): Quad[number] => [(x * WIDTH_PX) / width, (y * WIDTH_PX) / width]
  return {
    pixels: { data: new Uint8ClampedArray(data), width: info.width, height: info.height },
    frames: frames.map(({ corners: [a, b, c, d] }): Quad => [inPixels(a), inPixels(b), inPixels(c), inPixels(d)]),
  }
}

/** How far the furthest corner of the best quadrangle lies from a frame's, in pixels. */
const nearest = (found: readonly Quad[], frame: Quad): number =>
  Math.min(
    ...found.map(quad =>
      Math.max(...quad.map(([x, y], i) => Math.hypot(x - (frame[i]?.[0] ?? 0), y - (frame[i]?.[1] ?? 0)))),
    ),
  )

/** A grey wall with shapes of another grey on it. */
async function wallWith(shapes: string): Promise<Pixels> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><rect width="1200" height="900" fill="#c8c4bc"/>${shapes}</svg>`
  const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height }
}

/** With errors of up to 4 levels in each channel. */
function withNoise({ data, ...size }: Pixels): Pixels {
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  return { ...size, data: data.map(value => Math.round(value + 8 * (random() - 0.5))) }
}

describe('Finding frames in a photo', () => {
  for (const id of ['oak-frame-portrait', 'black-frame-landscape'])
    it(`finds the frame of ${id} to two pixels of ${WIDTH_PX}`, async () => {
      const { pixels, frames } = await starter(id)
      const found = findFrames(pixels)
      for (const frame of frames) assert.ok(nearest(found, frame) < 2, `${nearest(found, frame)} px`)
    })

  it('finds quadrangles in perspective to half a pixel, those inside of others first', async () => {
    const outer = '130,120 640,180 600,760 150,700'
    const inner = '200,200 570,240 545,680 215,630'
    const pixels = await wallWith(
      `<polygon points="${outer}" fill="#3a2f28"/><polygon points="${inner}" fill="#efece6"/>`,
    )
    const found = findFrames(pixels)
    assert.equal(found.length, 2)
    for (const [i, points] of [inner, outer].entries()) {
      const [a, b, c, d] = points.split(' ').map((point): Quad[number] => {
        const [x = 0, y = 0] = point.split(',').map(Number)
        return [x, y]
      })
      assert.ok(a && b && c && d)
      const quad = found[i]
      assert.ok(quad && nearest([quad], [a, b, c, d]) < 0.5, JSON.stringify(quad))
    }
  })

  it('finds what a mat leaves open around paper of nearly the same white, in the noise of a camera', async () => {
    const [frame, glass] = ['160,90 860,120 850,820 170,800', '190,125 830,150 820,790 200,770']
    const opening: Quad = [
      [292, 229],
      [730, 246],
      [722, 672],
      [300, 658],
    ]
    const drawn = (isMatted: boolean) =>
      wallWith(
        `<polygon points="${frame}" fill="#5a4632"/><polygon points="${glass}" fill="#f8f5ea"/>` +
          (isMatted ? `<polygon points="${opening.join(' ')}" fill="#f6f4f0"/>` : ''),
      )
    const offered = findFrames(withNoise(await drawn(true)))
    assert.equal(offered.length, 3)
    const [first] = offered
    assert.ok(first && nearest([first], opening) < 2, JSON.stringify(first))
    assert.equal(findFrames(withNoise(await drawn(false))).length, 2)
  })

  it('gives a screen with round corners the corners that it would have', async () => {
    const found = findFrames(await wallWith('<rect x="300" y="200" width="500" height="350" rx="30" fill="#222"/>'))
    const frame: Quad = [
      [300, 200],
      [800, 200],
      [800, 550],
      [300, 550],
    ]
    assert.equal(found.length, 1)
    assert.ok(nearest(found, frame) < 1, JSON.stringify(found))
  })

  it('finds nothing where there is nothing with four sides', async () => {
    const shapes =
      '<circle cx="300" cy="400" r="200" fill="#333"/><polygon points="700,200 1100,700 600,650" fill="#444"/>'
    assert.deepEqual(findFrames(await wallWith(shapes)), [])
  })
})
