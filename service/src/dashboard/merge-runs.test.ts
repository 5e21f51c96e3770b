import assert from 'node:assert/strict'
import test from 'node:test'
import { mergeRuns } from './merge-runs.ts'

test('Runs are merged stably', async () => {
  const runs = [[3, 5, 9], [1, 5.5, 12], [], [5, 7], [0.5]].map((run, i) => run.map(value => ({ value, run: i })))
  const merged = await mergeRuns(runs, (a, b) => Math.floor(a.value) - Math.floor(b.value))
  assert.deepEqual(
    merged.map(({ value, run }) => [value, run]),
    [
      [0.5, 4],
      [1, 1],
      [3, 0],
      [5, 0],
      [5.5, 1],
      [5, 3],
      [7, 3],
      [9, 0],
      [12, 1],
    ],
  )
  assert.deepEqual(await mergeRuns([], () => 0), [])
})
