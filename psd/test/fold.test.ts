import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BlendMode, Rect } from '@vitrine/engine'
import { createPicture, type FloatPicture } from '../src/compositing/float-picture.ts'
import { foldOperations } from '../src/converting/fold.ts'
import type { AdjustOperation, Operation, PictureOperation } from '../src/converting/operation.ts'
import { drawOperations } from './draw-operations.ts'
import { Random } from './random.ts'

const canvas: Rect = { left: 0, top: 0, widthPx: 24, heightPx: 16 }
const random = new Random(5)

function randomPicture(rect: Rect): FloatPicture {
  const picture = createPicture(rect)
  return { ...picture, color: picture.color.map(() => random.next()), alpha: picture.alpha.map(() => random.next()) }
}

function pictureOf(mode: BlendMode, bounds: Rect = canvas): PictureOperation {
  const picture = randomPicture(bounds)
  const copy = () => ({ ...picture, color: picture.color.slice(), alpha: picture.alpha.slice() })
  return { kind: 'picture', names: [mode], mode, fill: 1, bounds, draw: copy }
}

function tablesOf(opacity: number): AdjustOperation {
  const bend = 0.2 * random.next()
  const table = Float32Array.from({ length: 256 }, (_, i) => i / 255 + bend * (i / 255) * (1 - i / 255))
  const adjustment = { kind: 'tables', tables: [table, table, table] } as const
  return { kind: 'adjust', names: ['curve'], adjustment, mode: 'normal', opacity, weight: null }
}

/** What a list makes of an opaque picture. */
function draw(operations: readonly Operation[]): Float32Array {
  const out = createPicture(canvas)
  out.color.forEach((_, i) => (out.color[i] = (i % 97) / 96))
  out.alpha.fill(1)
  drawOperations(operations, out, () => createPicture(canvas))
  return out.color
}

function assertSame(operations: readonly Operation[], folded: readonly Operation[], tolerance: number): void {
  const [wanted, got] = [draw(operations), draw(folded)]
  for (const [i, value] of wanted.entries()) assert.ok(Math.abs(value - (got[i] ?? 0)) * 255 <= tolerance, `${i}`)
}

test('runs of multiply and of screen are a picture each', () => {
  const operations = (['multiply', 'multiply', 'multiply', 'screen', 'screen'] as const).map(mode => pictureOf(mode))
  const folded = foldOperations(operations)
  assert.deepEqual(
    folded.map(({ kind, names }) => [kind, names.length]),
    [
      ['picture', 3],
      ['picture', 2],
    ],
  )
  assertSame(operations, folded, 0.001)
})

test('a picture joins one of its mode below others that it does not touch', () => {
  const left = { ...canvas, widthPx: 12 }
  const right = { ...canvas, left: 12, widthPx: 12 }
  const operations = [pictureOf('overlay', left), pictureOf('soft-light', left), pictureOf('overlay', right)]
  const apart = [pictureOf('overlay', left), pictureOf('soft-light', right), pictureOf('overlay', left)]
  assert.equal(foldOperations(operations).length, 2)
  assert.equal(foldOperations(apart).length, 3, 'overlays that overlap are not joined')
  for (const list of [operations, apart]) assertSame(list, foldOperations(list), 0.001)
})

test('longer runs that mix normal, multiply, screen and hard light are one pair of factors and sums', () => {
  const operations = (['hard-light', 'multiply', 'normal', 'screen', 'hard-light'] as const).map(mode =>
    pictureOf(mode),
  )
  const folded = foldOperations(operations)
  assert.deepEqual(
    folded.map(({ kind }) => kind),
    ['affine'],
  )
  assertSame(operations, folded, 0.01)
})

test('curves over curves are one table, with their opacity', () => {
  const operations = [tablesOf(1), tablesOf(0.5), tablesOf(0.8)]
  const folded = foldOperations(operations)
  assert.equal(folded.length, 1)
  assertSame(operations, folded, 0.5)
  const masked = { ...tablesOf(1), weight: (rect: Rect) => new Float32Array(rect.widthPx * rect.heightPx).fill(0.5) }
  assert.equal(foldOperations([tablesOf(1), masked]).length, 2)
})
