import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateParts } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { lensOfEdge, makeTemplate } from '../src/index.ts'
import { createLens } from '../src/surfaces/lens.ts'
import { drawingHead, flatFrame, smallPhoto } from './small-photo.ts'

const [WIDTH, HEIGHT] = [320, 280]

/** Doubts of a template whose surface has paint where `isPainted`. */
async function allDoubtsWith(
  paint: readonly number[] | ((x: number, y: number) => readonly number[]),
  isPainted: (x: number, y: number) => boolean,
  frame: object = flatFrame,
): Promise<{ kind: string; sentence: string }[]> {
  const photo = smallPhoto()
  const data = Uint8Array.from(photo.data)
  for (let y = 40; y < 240; y++)
    for (let x = 60; x < 260; x++)
      if (isPainted(x - 160, y - 140))
        for (const [c, value] of (typeof paint === 'function' ? paint(x - 160, y - 140) : paint).entries())
          data[3 * (y * WIDTH + x) + c] = (value * (photo.data[3 * (y * WIDTH + x) + c] ?? 0)) / 255
  const tools = { store: new MemoryStore(), deflate: deflateParts }
  const details = { id: 'photo', name: 'Photo', category: 'Photos' }
  const drawing = { ...drawingHead, frames: [frame] }
  const { report } = await makeTemplate(details, { ...photo, data }, drawing, { product: null, fronts: [] }, tools)
  return report.frames.flatMap(({ doubts }) => doubts)
}

const doubtsWith = async (...asked: Parameters<typeof allDoubtsWith>): Promise<string[]> =>
  (await allDoubtsWith(...asked)).map(({ kind }) => kind)

describe('what a photo of a product should not have on it', () => {
  const isLogo = (x: number, y: number): boolean => Math.hypot(x, y) < 40
  const isLettering = (x: number, y: number): boolean =>
    Math.abs(y) < 60 && Math.abs(x) < 80 && Math.floor(x / 10) % 2 === 0

  test('is told from a blank one, which has nothing to be told', async () => {
    const told = async (paint: readonly number[], where: (x: number, y: number) => boolean) =>
      (await doubtsWith(paint, where)).filter(kind => /^(many|two)/.test(kind))
    assert.deepEqual(await told([255, 255, 255], () => false), [])
    assert.deepEqual(await told([230, 60, 40], isLogo), ['many-colors'])
    assert.deepEqual(await told([60, 60, 60], isLettering), ['two-shades'])
  })

  test('is told from hard folds, and from what glass and china mirror, each with what to do', async () => {
    const creased = (x: number, y: number): readonly number[] => {
      const place = x / 23 + y / 40
      return Array(3).fill(100 + 120 * (place - Math.floor(place)))
    }
    for (const [surface, words] of [
      ['fabric', 'hard folds'],
      ['ceramic', 'mirrors the room'],
      ['glass', 'The glass mirrors'],
      ['paper', 'creases'],
    ] as const) {
      const doubts = await allDoubtsWith(creased, () => true, { ...flatFrame, surface })
      const found = doubts.filter(({ kind }) => /many|two/.test(kind))
      assert.deepEqual(
        found.map(({ kind }) => kind),
        ['many-edges'],
      )
      assert.match(found[0]?.sentence ?? '', new RegExp(words))
    }
  })

  test('is no noise of a dark cloth, whose colours a camera does not tell', async () => {
    const navy = (x: number): readonly number[] => [34, 32, (x >> 4) & 1 ? 40 : 58]
    const kinds = await doubtsWith(navy, () => true, { ...flatFrame, surface: 'fabric', color: 'auto' })
    assert.ok(!kinds.includes('many-colors') && !kinds.includes('two-shades'), kinds.join())
  })

  test('is not told from a soft shadow across it', async () => {
    const isShadow = (x: number): boolean => x > 0
    const kinds = await doubtsWith([190, 190, 190], isShadow)
    assert.ok(!kinds.some(kind => /^(many|two)/.test(kind)), kinds.join())
  })
})

describe('cloth with four corners alone', () => {
  const { corners } = flatFrame
  const cloth = { ...flatFrame, kind: 'cloth', surface: 'fabric', corners } as const
  const onBody = (x: number): number => 255 * Math.cos(x / 80) ** 0.5
  const kindsOf = (light: (x: number, y: number) => number, frame: object): Promise<string[]> =>
    doubtsWith(
      (x, y) => Array(3).fill(light(x, y)),
      () => true,
      frame,
    )

  test('needs pins where its light is that of a body, and none where it lies flat in a light from one side', async () => {
    assert.ok((await kindsOf(onBody, cloth)).includes('needs-pins'))
    assert.ok(!(await kindsOf(() => 255, cloth)).includes('needs-pins'))
    assert.ok(!(await kindsOf((x, y) => 200 + x / 4 + y / 5, cloth)).includes('needs-pins'))
  })

  test('needs no more pins where it has some', async () => {
    const pinned = { ...cloth, pins: [{ at: [160, 135], u: 0.5, v: 0.48 }] }
    assert.ok(!(await kindsOf(onBody, pinned)).includes('needs-pins'))
  })
})

describe('a product that is dyed', () => {
  /** Kinds and sentences of a product of this colour, in bytes where it is lightest. */
  async function doubtsOfProduct(paint: readonly number[], dyes = true): Promise<(readonly [string, string])[]> {
    const photo = smallPhoto()
    const data = Uint8Array.from(photo.data)
    const outline = new Uint8Array(WIDTH * HEIGHT)
    for (let y = 40; y < 240; y++) {
      for (let x = 60; x < 260; x++) {
        outline[y * WIDTH + x] = 255
        for (const [c, value] of paint.entries()) data[3 * (y * WIDTH + x) + c] = value * (0.8 + 0.001 * (x - 60))
      }
    }
    const drawing = { ...drawingHead, frames: [{ ...flatFrame, surface: 'fabric', color: 'auto' }] }
    const product = { strokes: [{ points: [[160, 140]], radius: 20 }], dyes }
    const { report } = await makeTemplate(
      { id: 'photo', name: 'Photo', category: 'Photos' },
      { ...photo, data },
      { ...drawing, product },
      { product: { widthPx: WIDTH, heightPx: HEIGHT, data: outline }, fronts: [] },
      { store: new MemoryStore(), deflate: deflateParts },
    )
    return report.productDoubts.map(({ kind, sentence }) => [kind, sentence] as const)
  }

  test('is doubtful where it is nearly black, or has nearly no light of one colour, with what to do', async () => {
    for (const [paint, words] of [
      [[18, 17, 18], /nearly black.* Photograph a white or light grey one/],
      [[170, 10, 40], /too strong a colour.* Photograph a white or light grey one/],
      [[6, 160, 190], /too strong a colour/],
    ] as const) {
      const [[kind, sentence] = [], ...more] = await doubtsOfProduct(paint)
      assert.deepEqual([kind, more], ['hard-to-dye', []], paint.join())
      assert.match(sentence ?? '', words)
    }
  })

  test('is not where it is white, grey, natural, of a common colour, charcoal or navy', async () => {
    for (const paint of [
      [235, 235, 235],
      [128, 130, 122],
      [209, 196, 177],
      [121, 167, 200],
      [134, 66, 85],
      [50, 50, 50],
      [46, 52, 67],
    ])
      assert.deepEqual(await doubtsOfProduct(paint), [], paint.join())
  })

  test('is not where it is not dyed', async () => {
    assert.deepEqual(await doubtsOfProduct([18, 17, 18], false), [])
  })
})

describe('the lens that a straight edge tells', () => {
  test('is the one that bends it', () => {
    for (const strength of [-0.12, 0.02, 0.2]) {
      const { bend } = createLens(strength, WIDTH, HEIGHT)
      const edge = [bend(20, 30), bend(170, 26), bend(300, 22.5)] as const
      // The three points lie on a line within a thousandth of its length.
      const found = lensOfEdge(edge, WIDTH, HEIGHT)
      assert.ok(found !== null && Math.abs(found - strength) < 0.01, `${strength}: ${found}`)
    }
  })

  test('is none where the edge goes through the middle of the photo, which no lens bends', () => {
    assert.equal(
      lensOfEdge(
        [
          [20, 140],
          [150, 141],
          [300, 140],
        ],
        WIDTH,
        HEIGHT,
      ),
      null,
    )
  })

  test('is at most what drawings have', () => {
    const { bend } = createLens(0.4, WIDTH, HEIGHT)
    assert.equal(lensOfEdge([bend(20, 30), bend(170, 30), bend(300, 30)], WIDTH, HEIGHT), 0.3)
  })
})
