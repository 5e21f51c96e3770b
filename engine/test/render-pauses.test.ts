import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSteps, runWithPauses, type Steps } from '../src/steps.ts'

function* countTo(last: number, done: number[]): Steps<string> {
  for (let step = 1; step <= last; step++) {
    done.push(step)
    yield
  }
  return 'done'
}

test('work in steps gives its result, all at once or with a pause after each step', async () => {
  const done: number[] = []
  assert.equal(runSteps(countTo(3, done)), 'done')
  let pauses = 0
  const result = await runWithPauses(countTo(3, done), () => {
    pauses++
    return pauses === 2 ? Promise.resolve() : undefined
  })
  assert.equal(result, 'done')
  assert.equal(pauses, 3)
  assert.deepEqual(done, [1, 2, 3, 1, 2, 3])
})

test('a pause that rejects gives the rest of the work up', async () => {
  const done: number[] = []
  const running = runWithPauses(countTo(9, done), async () => {
    if (done.length === 2) throw new Error('enough')
  })
  await assert.rejects(running, /enough/)
  assert.deepEqual(done, [1, 2])
})
