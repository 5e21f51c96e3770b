import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runChaos } from '../../bench/chaos/run-chaos.ts'
import { findHaproxy } from '../servers/debian-program.ts'

const skip =
  process.env['VITRINE_TEST_SIZE'] === 'full'
    ? findHaproxy() === undefined && 'HAPROXY LEFT OUT: install haproxy to run the faults of a cluster'
    : 'CLUSTER LEFT OUT: VITRINE_TEST_SIZE=full breaks each part of a cluster, before a release and by hand'

test('while each part of a cluster is killed, frozen or broken, every promise to its customers is kept', {
  skip,
  timeout: 900_000,
}, async () => {
  const report = await runChaos({ seconds: 1, isShort: true })
  assert.deepEqual(report.faults, [])
  assert.ok(report.pictures > 50, `${report.pictures} pictures were compared`)
  assert.ok(report.replays > 5, `${report.replays} replays were compared`)
})
