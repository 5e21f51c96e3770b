import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { balance, generate } from './api-calls.ts'
import { makeData, SMALL_TEMPLATE_ID } from './make-data.ts'
import { runHere } from './run-here.ts'
import { runVitrine } from './run-vitrine.ts'
import { startVitrine, type VitrineServer } from './vitrine-server.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-backup-'))
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

test('a backup made while it renders is a data folder: same key, same books, same mockup, byte for byte', async () => {
  const { dataDir, key } = await makeData(path.join(folder, 'backed-up'))
  const server = await start({ DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '10000' })
  const original = new Uint8Array(await (await generate(server, key, SMALL_TEMPLATE_ID)).arrayBuffer())
  const over = new AbortController()
  const rendering = (async () => {
    let count = 1
    for (; !over.signal.aborted; count++) assert.equal((await generate(server, key, SMALL_TEMPLATE_ID)).status, 200)
    return count
  })()
  const backup = path.join(folder, 'backups', 'one')
  const made = await runVitrine(['backup', backup, '--json'], { DATA_DIR: dataDir })
  over.abort()
  const count = await rendering
  assert.deepEqual([made.code, made.json['path']], [0, backup], made.stderr)
  assert.ok(!(await readdir(backup)).includes('address'), 'the copy does not inherit the first one’s address')
  await server.stop()

  const again = await runHere(['backup', backup, '--json'], { DATA_DIR: dataDir })
  assert.deepEqual([again.code, /not empty/.test(again.stderr)], [1, true])
  assert.deepEqual(await readdir(path.dirname(backup)), ['one'])

  const restored = await start({ DATA_DIR: backup })
  const credits = Number(await balance(restored, key))
  assert.ok(credits <= 999 && credits >= 1000 - count, `${credits} of 1000 after ${count} mockups`)
  const mockup = await generate(restored, key, SMALL_TEMPLATE_ID)
  assert.deepEqual(new Uint8Array(await mockup.arrayBuffer()), original)
  assert.equal(await balance(restored, key), credits - 1)
  assert.equal((await runHere(['ledger', 'verify', '--json'], { DATA_DIR: backup })).json['violations'], 0)
  await restored.stop()
})
