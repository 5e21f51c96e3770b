import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedUse, planCapacity } from './capacity-model.ts'
import { type SimulatedLoad, simulateCluster } from './simulate-cluster.ts'

const calm: SimulatedLoad = {
  nodes: 4,
  perSecond: 60,
  seconds: 120,
  balancing: 'least connections',
  templates: 1,
  keptPerProcess: 4,
  keptPerDisk: 0,
  burstFactor: 1,
  slowOriginShare: 0,
  slowOriginMs: 0,
  accountPerSecond: 1_000,
}

test('the simulation of a calm load agrees with the model within 5 %', () => {
  for (const [nodes, perSecond] of [
    [1, 15],
    [4, 60],
    [20, 400],
  ] as const) {
    const { use, missing, refused } = simulateCluster({ ...calm, nodes, perSecond })
    const expected = expectedUse(perSecond, nodes, missing)
    assert.ok(Math.abs(use / expected - 1) < 0.05, `${nodes} nodes: ${use} for ${expected}`)
    assert.equal(refused, 0)
  }
})

test('a cluster of the planned size takes its load in bursts; one of half the size refuses', () => {
  const { nodes } = planCapacity(200, { fromFile: 0, cold: 0 })
  const load = { ...calm, perSecond: 200, burstFactor: 1.3, seconds: 60 }
  assert.equal(simulateCluster({ ...load, nodes }).refused, 0)
  assert.ok(simulateCluster({ ...load, nodes: Math.floor(nodes / 2) }).refused > 1000)
})

test('hashing by template saves what least connections prepares again and again', () => {
  const load = { ...calm, nodes: 10, perSecond: 100, templates: 60, keptPerProcess: 6 }
  const spread = simulateCluster(load)
  const hashed = simulateCluster({ ...load, balancing: 'hash of the template, bounded load' })
  assert.ok(hashed.missing.cold < 0.6 * spread.missing.cold, `${hashed.missing.cold} and ${spread.missing.cold}`)
  const kept = simulateCluster({ ...load, keptPerDisk: 60 })
  assert.ok(kept.missing.cold < 0.2 * spread.missing.cold, 'a template on the disk is prepared once for each node')
  assert.ok(kept.use < spread.use)
})

test('an account beyond what its wallet allows waits, however many nodes there are', () => {
  const { p99Ms, accountUse } = simulateCluster({ ...calm, nodes: 20, perSecond: 200, accountPerSecond: 47 })
  assert.ok(accountUse > 0.95 && p99Ms > 10_000)
  assert.ok(simulateCluster({ ...calm, nodes: 20, perSecond: 200, accountPerSecond: 1_000 }).p99Ms < 1_000)
})

test('the same seed gives the same figures', () => {
  assert.deepEqual(simulateCluster(calm), simulateCluster(calm))
  assert.notDeepEqual(simulateCluster(calm), simulateCluster({ ...calm, seed: 2 }))
})
