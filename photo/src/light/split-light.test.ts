import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitLight } from './split-light.ts'

test('on a curved body a window is mirrored, and the shade of a rounded base is not', () => {
  const [widthPx, heightPx] = [200, 160]
  const count = widthPx * heightPx
  const u = Float32Array.from({ length: count }, (_, i) => ((i % widthPx) + 0.5) / widthPx)
  const v = Float32Array.from({ length: count }, (_, i) => (Math.floor(i / widthPx) + 0.5) / heightPx)
  const isWindow = (i: number): boolean => Math.abs((u[i] ?? 0) - 0.3) < 0.03 && (v[i] ?? 0) < 0.5
  const light = Float32Array.from({ length: count }, (_, i) => {
    const shaded =
      0.5 * (0.6 + 0.4 * Math.cos(2 * ((u[i] ?? 0) - 0.4))) * (1 - 0.7 * Math.exp(((v[i] ?? 0) - 1) / 0.06))
    return shaded + (isWindow(i) ? 0.3 : 0)
  })
  const weights = new Float32Array(count).fill(1)
  const { highlights } = splitLight([light.slice(), light.slice(), light.slice()], {
    widthPx,
    heightPx,
    weights,
    color: [1, 1, 1],
    floor: 0,
    curved: { u, v, coverage: weights },
    hueSigmaPx: 0,
  })
  const mean = (isWanted: (i: number) => boolean): number => {
    const chosen = [...highlights[1]].filter((_, i) => isWanted(i))
    return chosen.reduce((sum, value) => sum + value, 0) / chosen.length
  }
  const windows = mean(isWindow)
  assert.ok(Math.abs(windows - 0.3) < 0.06, `the window: ${windows}`)
  const below = mean(i => (v[i] ?? 0) > 0.6)
  assert.ok(below < 0.002, `below it: ${below}`)
})
