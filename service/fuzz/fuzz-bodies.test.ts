import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzBodies } from './fuzz-bodies.ts'

const REQUESTS = process.env['VITRINE_TEST_SIZE'] === 'full' ? 1000 : 30

test('a service survives damaged bodies on every route, and nothing of them is left', async () => {
  const { faults, statuses } = await fuzzBodies(1, { requests: REQUESTS })
  assert.deepEqual(faults, [])
  // Some are good, and others are refused in several ways.
  for (const status of ['200', '400', '401', '413']) assert.ok(statuses.has(status), status)
})
