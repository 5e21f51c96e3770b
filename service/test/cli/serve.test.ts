import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inspectArtwork } from '@vitrine/engine'
import { z } from 'zod'
import { openDatabase } from '../../src/database/database.ts'
import { listStarterPack } from '../../src/first-run/starter-pack.ts'
import { freePort } from '../servers/child-server.ts'
import { balance, templateIds } from './api-calls.ts'
import { makeData } from './make-data.ts'
import { runHere } from './run-here.ts'
import { launcher, repository } from './run-vitrine.ts'
import { quiet, spawnVitrine, startVitrine, type VitrineServer } from './vitrine-server.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-serve-'))
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

const keyPattern = /vt_[0-9A-Za-z]{36}/

describe('the first start', () => {
  const dataDir = path.join(folder, 'first')

  /** A copy of the data of the first start, in which the account has not been created yet. */
  async function copyWithoutOwner(name: string): Promise<string> {
    const copy = path.join(folder, name)
    await cp(dataDir, copy, { recursive: true })
    const database = new DatabaseSync(path.join(copy, 'vitrine.db'))
    database.exec("delete from first_run_steps where step = 'account'")
    database.close()
    return copy
  }

  test('listens meanwhile and reports that it is not ready; if interrupted, it is completed by the next one', async () => {
    const empty = await openDatabase({ dataDir })
    await empty.migrate()
    await empty.close()
    const database = new DatabaseSync(path.join(dataDir, 'vitrine.db'))
    const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) from n'
    database.exec(`create trigger never_ends before insert on templates begin ${endless}; end`)
    const port = await freePort()
    const { child, ready } = spawnVitrine({ DATA_DIR: dataDir, PORT: `${port}` })
    const ended = assert.rejects(ready, (error: Error) => !keyPattern.test(error.message))
    // Killed once something is incomplete.
    while ((await readdir(path.join(dataDir, 'objects')).catch(() => [])).length === 0) await delay(5)
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)
    const readiness = await fetch(`http://127.0.0.1:${port}/readyz`)
    assert.deepEqual([readiness.status, await readiness.json()], [503, { status: 'not ready', reason: 'starting' }])
    child.kill('SIGKILL')
    await ended
    database.exec('drop trigger never_ends')
    database.close()
  })

  test('prints the address, a key and a command that writes a mockup', async () => {
    const server = await start({ DATA_DIR: dataDir })
    const output = server.output()
    assert.equal(new Set(output.match(new RegExp(keyPattern, 'g'))).size, 1)
    const key = output.match(keyPattern)?.[0] ?? ''
    assert.ok(output.includes(dataDir))
    assert.match(output, /1,000 credits/)
    const command = /^curl .*$/m.exec(output)?.[0] ?? ''
    const place = path.join(folder, 'pasted')
    await mkdir(place)
    const pasted = spawnSync('sh', ['-c', command], { cwd: place, encoding: 'utf8' })
    assert.deepEqual([pasted.status, pasted.stderr, pasted.stdout], [0, '', ''])
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    assert.match(metrics, /^vitrine_template_cache_total\{result="hit"\} 1$/m, 'its template was prepared')
    const facts = inspectArtwork(await readFile(path.join(place, 'mockup.jpg')))
    assert.deepEqual([facts.type, facts.widthPx], ['jpeg', 2000])
    assert.equal(await balance(server, key), 999)
    const shipped = listStarterPack().map(bundle => path.basename(bundle))
    assert.deepEqual((await templateIds(server, key)).sort(), shipped)
    const accounts = (await runHere(['account', 'list', '--json'], { DATA_DIR: dataDir })).json['accounts']
    assert.ok(Array.isArray(accounts))
    assert.equal(accounts.length, 1)
    assert.deepEqual(await server.stop(), { code: 0, signal: null })
  })

  test('happens once: later starts say where the data is and create nothing, and removed templates are not restored', async () => {
    const removed = path.basename(listStarterPack()[0] ?? '')
    await runHere(['template', 'remove', removed], { DATA_DIR: dataDir })
    const server = await start({ DATA_DIR: dataDir, PUBLIC_URL: 'https://mockups.example.com' })
    assert.match(server.output(), /ready at https:\/\/mockups\.example\.com; its data is in .*first\.\n/)
    assert.match(server.output(), /sign-in-link --email owner@vitrine\.local\n/)
    assert.equal(server.output().match(keyPattern), null)
    const { json } = await runHere(['template', 'list', '--json'], { DATA_DIR: dataDir })
    assert.ok(!JSON.stringify(json).includes(`"${removed}"`))
    await server.stop()
  })

  test('prints the same for programs, as one JSON object, with --json', async () => {
    const elsewhere = await copyWithoutOwner('for-programs')
    const startForPrograms = async () => {
      const child = spawn(launcher, ['serve', '--json'], {
        cwd: repository,
        env: { PATH: process.env['PATH'], ...quiet, LOG_LEVEL: 'error', DATA_DIR: elsewhere },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'], // ends with the tests, however they end
      })
      assert.ok(child.stdout)
      const exited = once(child, 'exit')
      for await (const line of createInterface({ input: child.stdout })) {
        const said: unknown = JSON.parse(line)
        assert.ok(said !== null && typeof said === 'object')
        child.kill('SIGTERM')
        await exited
        return { ...said }
      }
      throw new Error('the service said nothing')
    }
    const first = z
      .strictObject({
        url: z.url(),
        data_dir: z.literal(elsewhere),
        account_id: z.string().startsWith('acc_'),
        email: z.literal('owner@vitrine.local'),
        key: z.string().regex(keyPattern),
        sign_in_link: z.url(),
      })
      .parse(await startForPrograms())
    assert.ok(first.sign_in_link.startsWith(`${first.url}/enter#`))
    z.strictObject({ url: z.url(), data_dir: z.literal(elsewhere) }).parse(await startForPrograms())
  })

  test('prints addresses under PUBLIC_URL', async () => {
    const elsewhere = await copyWithoutOwner('public')
    const server = await start({ DATA_DIR: elsewhere, PUBLIC_URL: 'https://mockups.example.com/shop/' })
    assert.match(server.output(), /^curl .* https:\/\/mockups\.example\.com\/shop\/api\/v1\/mockups\/generate$/m)
    await server.stop()
  })
})

describe('a refused start', () => {
  async function assertRefused(environment: Readonly<Record<string, string>>, sentence: RegExp): Promise<void> {
    const { code, stderr } = await runHere(['serve'], { ...quiet, ...environment })
    assert.equal(code, 1, stderr)
    assert.match(stderr, sentence)
    assert.match(stderr, /^vitrine: [^\n]+\n$/)
  }

  test('a port in use is named, and nothing is created', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    assert.ok(address !== null && typeof address === 'object')
    const dataDir = path.join(folder, 'taken')
    await assertRefused({ DATA_DIR: dataDir, PORT: `${address.port}` }, new RegExp(`${address.port}`))
    await assert.rejects(readdir(dataDir), { code: 'ENOENT' })
    taken.close()
  })

  test('a folder that is not writable is named', async () => {
    const file = path.join(folder, 'a-file')
    await writeFile(file, '')
    await assertRefused({ DATA_DIR: path.join(file, 'data') }, /a-file is not a folder/)
    // No one can create folders there, not even root.
    await assertRefused({ DATA_DIR: '/proc/vitrine/data' }, /cannot be created in \/proc/)
  })

  test('a bad setting is named, and nothing is created', async () => {
    const dataDir = path.join(folder, 'bad-setting')
    await assertRefused({ DATA_DIR: dataDir, RENDER_WORKERS: 'many' }, /RENDER_WORKERS.*"many"/)
    await assert.rejects(readdir(dataDir), { code: 'ENOENT' })
  })

  test('an unreachable object storage or database is named, without its password', async () => {
    const dataDir = path.join(folder, 'no-dependencies')
    const s3 = {
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'secret-word',
    }
    const { code, stderr } = await runHere(['serve'], { ...quiet, DATA_DIR: dataDir, ...s3 })
    assert.deepEqual([code, stderr.includes('127.0.0.1:9'), stderr.includes('secret-word')], [1, true, false])
    const postgres = await runHere(['serve'], {
      ...quiet,
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://me:secret-word@127.0.0.1:9/none',
    })
    assert.deepEqual([postgres.code, /PostgreSQL/.test(postgres.stderr)], [1, true])
    assert.ok(!postgres.stderr.includes('secret-word'))
    await assert.rejects(readdir(dataDir), { code: 'ENOENT' })
  })

  test('a database of a newer program is refused and not changed', async () => {
    const { dataDir } = await makeData(path.join(folder, 'newer'))
    const file = path.join(dataDir, 'vitrine.db')
    const database = new DatabaseSync(file)
    database.exec(
      "insert into schema_migrations values ('9999-from-the-future', 0, 'what it needs', ''); pragma wal_checkpoint(truncate)",
    )
    database.close()
    const before = await readFile(file)
    await assertRefused({ DATA_DIR: dataDir }, /newer Vitrine/)
    assert.deepEqual(await readFile(file), before)
  })
})
