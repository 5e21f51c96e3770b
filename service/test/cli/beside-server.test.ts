import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { goodMapBundle, writeBundle } from '../../../engine/test/bundles/make-bundle.ts'
import { ask, balance, generate, templateIds } from './api-calls.ts'
import { makeData, smallTemplateId } from './make-data.ts'
import { runVitrine } from './run-vitrine.ts'
import { refusedStart, startVitrine, type VitrineServer } from './vitrine-server.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-beside-'))
const servers: VitrineServer[] = []
after(async () => {
  await Promise.all(servers.map(server => server.stop('SIGKILL')))
  await rm(folder, { recursive: true, force: true })
})

async function start(environment: Readonly<Record<string, string>>): Promise<VitrineServer> {
  const server = await startVitrine(environment)
  servers.push(server)
  return server
}

describe('beside a running server', () => {
  test('every command acts on its next request', async () => {
    const { dataDir, key } = await makeData(path.join(folder, 'beside'))
    const server = await start({ DATA_DIR: dataDir })
    const vitrine = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
      const ran = await runVitrine([...args, '--json'], { DATA_DIR: dataDir })
      assert.equal(ran.code, 0, ran.stderr)
      return ran.json
    }
    await vitrine('credits', 'grant', '--email', 'shop@example.com', '--credits', '7', '--reason', 'test')
    assert.equal(await balance(server, key), 1007)

    const made = await vitrine('key', 'create', '--email', 'shop@example.com', '--name', 'Second')
    const second = String(made['key'])
    assert.equal((await generate(server, second, smallTemplateId)).status, 200)
    await vitrine('key', 'revoke', String(made['key_id']))
    assert.equal((await ask(server, second, '/templates')).status, 401)

    const bundle = path.join(folder, 'mug')
    await writeBundle(bundle, await goodMapBundle())
    await vitrine('template', 'import', bundle)
    assert.deepEqual(await templateIds(server, key), ['mug', smallTemplateId])
    assert.equal((await generate(server, key, 'mug')).status, 200)
    await vitrine('template', 'remove', 'mug')
    assert.deepEqual(await templateIds(server, key), [smallTemplateId])
    assert.equal((await generate(server, key, 'mug')).status, 404)

    const link = new URL(String((await vitrine('account', 'sign-in-link', '--email', 'shop@example.com'))['url']))
    assert.equal(link.origin, server.url, 'it leads to where the server listens, which took any port')
    assert.equal((await fetch(link)).status, 200)
    const enter = () =>
      fetch(`${link.origin}/dashboard/auth/magic-link/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: link.origin },
        body: JSON.stringify({ token: link.hash.slice(1) }),
        redirect: 'manual',
      })
    const isIn = async () => /session=[^;]/.test((await enter()).headers.getSetCookie().join())
    assert.deepEqual([await isIn(), await isIn()], [true, false], 'it works once')

    assert.equal((await vitrine('ledger', 'verify'))['violations'], 0)
    assert.equal(await balance(server, key), 1005)
    const another = await refusedStart({ DATA_DIR: dataDir })
    assert.deepEqual([another.code, /already serves/.test(another.stderr)], [1, true])
    assert.equal((await generate(server, key, smallTemplateId)).status, 200)
    await server.stop()
  })

  test('a killed server leaves a folder on which the next one starts', async () => {
    const { dataDir, key } = await makeData(path.join(folder, 'killed'))
    const server = await start({ DATA_DIR: dataDir })
    const lost = Array.from({ length: 5 }, () => generate(server, key, smallTemplateId).catch(() => null))
    await server.stop('SIGKILL')
    await Promise.all(lost)
    const next = await start({ DATA_DIR: dataDir })
    const verified = await runVitrine(['ledger', 'verify', '--json'], { DATA_DIR: dataDir })
    assert.deepEqual([verified.json['violations'], verified.json['open_reservations']], [0, 0])
    assert.equal((await generate(next, key, smallTemplateId)).status, 200)
    await next.stop()
  })
})
