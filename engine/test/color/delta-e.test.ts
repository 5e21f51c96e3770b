import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deltaE2000, labFromXyz, type Triple, xyzFromLab } from './delta-e.ts'

/** From table 1 of Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula" (2005). */
const pairs: readonly (readonly [Triple, Triple, number])[] = [
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0],
  [[50, 0, 0], [50, -1, 2], 2.3669],
  [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
  [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
]

it('colour differences are those that the formula was published with', () => {
  for (const [first, second, expected] of pairs) {
    assert.ok(
      Math.abs(deltaE2000(first, second) - expected) < 0.0001,
      `${deltaE2000(first, second)} is not ${expected}`,
    )
    assert.ok(Math.abs(deltaE2000(second, first) - expected) < 0.0001)
  }
})

it('L*a*b* and XYZ are inverse to each other', () => {
  for (const [lab] of pairs)
    for (const [i, value] of labFromXyz(xyzFromLab(lab)).entries()) assert.ok(Math.abs(value - (lab[i] ?? 0)) < 1e-9)
})
