import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import type { CanaryReport } from './canary-world.ts'
import { hostileLiterals, hostileNames } from './hostile-urls.ts'

const world = path.join(import.meta.dirname, 'canary-world.ts')

/** Makes every address of both families local, then runs canary-world.ts. */
const SCRIPT = `
set -e
ip link set lo up
ip route add local default dev lo
ip -6 route add local ::/0 dev lo
exec "$0" "$1"
`

/** As root directly; otherwise as root of a user namespace, if the system allows one. */
const namespaces = [['--net'], ['--user', '--map-root-user', '--net']]

const namespace = namespaces.find(flags => {
  return (
    spawnSync('unshare', [...flags, 'sh', '-c', 'ip link set lo up && ip route add local default dev lo']).status === 0
  )
})

if (namespace === undefined) {
  process.stderr.write(
    '\n*** LEFT OUT: this system permits no network namespace (unshare and ip are needed), so no canary watched where downloads connect.\n' +
      '*** The classification of every address was tested all the same; run these tests as root, or with user namespaces, to have the rest.\n\n',
  )
}

describe('In a network where every address answers', {
  skip: namespace === undefined && 'no network namespace is permitted here',
}, () => {
  let report: CanaryReport

  before(() => {
    const proxy = 'http://127.0.0.1:8080'
    const child = spawnSync('unshare', [...(namespace ?? []), 'sh', '-c', SCRIPT, process.execPath, world], {
      encoding: 'utf8',
      timeout: 120_000,
      env: {
        PATH: process.env['PATH'],
        HTTP_PROXY: proxy,
        HTTPS_PROXY: proxy,
        http_proxy: proxy,
        ALL_PROXY: proxy,
        NODE_USE_ENV_PROXY: '1',
      },
    })
    assert.equal(child.status, 0, child.stderr)
    report = JSON.parse(child.stdout)
  })

  it('no download reached a canary: by literal, by name, by redirect or by rebinding', () => {
    assert.deepEqual(report.canaryCalls, [])
  })

  it('the public origin was reached, so the canaries could have been', () => {
    assert.equal(report.outcomes['a public origin'], 'ok')
    assert.ok(report.originCalls > hostileLiterals.length)
  })

  it('a name with a private address fails exactly like one that does not exist', () => {
    const unknown = report.outcomes['no such name']
    assert.equal(unknown, JSON.stringify({ kind: 'failed', reason: 'name_not_resolved' }))
    for (const { url } of hostileNames) assert.equal(report.outcomes[url], unknown, url)
    assert.equal(report.outcomes['an alias that leads inside'], unknown)
  })

  it('a literal was refused for what it is, at first and after any redirect', () => {
    const answers = { invalid: 'invalid', forbidden: JSON.stringify({ kind: 'forbidden' }) }
    for (const { url, refusal } of hostileLiterals) {
      if (refusal === 'unresolved') continue
      assert.equal(report.outcomes[url], answers[refusal], url)
      for (const status of [301, 302, 303, 307, 308]) {
        if (refusal === 'forbidden') assert.equal(report.outcomes[`${status} to ${url}`], answers.forbidden, url)
      }
    }
  })

  it('each of 1,000 alternating answers was used as it was checked: half reached the origin, half failed', () => {
    assert.deepEqual(report.rebinding, {
      ok: 500,
      [JSON.stringify({ kind: 'failed', reason: 'name_not_resolved' })]: 500,
    })
  })

  it('no proxy from the environment was used', () => assert.equal(report.proxyCalls, 0))
})
