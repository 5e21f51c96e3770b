import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { z } from 'zod'
import { goodMapBundle, png, writeBundle } from '../../../engine/test/bundles/make-bundle.ts'
import { describeOnBothDatabases } from '../servers/test-database.ts'
import { ask, balance, generate, templateIds } from './api-calls.ts'
import { makeData, SMALL_TEMPLATE_ID } from './make-data.ts'
import { runHere } from './run-here.ts'
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

/** The output of a successful command with --json. */
async function run(environment: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const ran = await runHere([...args, '--json'], environment)
  assert.equal(ran.code, 0, ran.stderr)
  return ran.json
}

describeOnBothDatabases('beside a running server', use => {
  test('every command reports what it did, and it affects the server’s next request', async () => {
    const { database, location } = use()
    const url = location.databaseUrl
    const { dataDir, key } = await makeData(path.join(folder, `beside-${database.kind}`), url)
    const environment = { DATA_DIR: dataDir, ...(url === undefined ? {} : { DATABASE_URL: url }) }
    const server = await start(environment)
    const vitrine = (...args: readonly string[]) => run(environment, ...args)

    const bundle = path.join(folder, `mug-${database.kind}`)
    await writeBundle(bundle, await goodMapBundle())
    const [made, granted, second, checked] = await Promise.all([
      vitrine('account', 'create', '--email', 'new@example.com', '--credits', '5'),
      vitrine('credits', 'grant', '--email', 'shop@example.com', '--credits', '7', '--reason', 'test'),
      vitrine('key', 'create', '--email', 'shop@example.com', '--name', 'Second'),
      vitrine('template', 'check', bundle),
    ])
    assert.deepEqual({ ...made, account_id: '' }, { account_id: '', email: 'new@example.com', credits: 5 })
    assert.match(String(made['account_id']), /^acc_/)
    assert.equal(granted['balance_credits'], 1007)
    assert.equal(await balance(server, key), 1007)
    assert.deepEqual(Object.keys(second), ['key_id', 'key'])
    assert.deepEqual([checked['template_id'], checked['errors']], ['mug', 0])
    const [keyId, secondKey] = [String(second['key_id']), String(second['key'])]
    assert.equal((await generate(server, secondKey, SMALL_TEMPLATE_ID)).status, 200)
    const [listedAccounts, listedKeys, imported] = await Promise.all([
      vitrine('account', 'list'),
      vitrine('key', 'list', '--email', 'shop@example.com'),
      vitrine('template', 'import', bundle),
    ])
    const { accounts: all } = z
      .object({ accounts: z.array(z.looseObject({ email: z.string(), balance_credits: z.int() })) })
      .parse(listedAccounts)
    assert.deepEqual(
      all.map(({ email, balance_credits }) => [email, balance_credits]),
      [
        ['shop@example.com', 1006],
        ['new@example.com', 5],
      ],
    )
    const { keys } = z
      .object({ keys: z.array(z.looseObject({ key_id: z.string(), status: z.string() })) })
      .parse(listedKeys)
    assert.deepEqual(
      new Map(keys.map(each => [each.key_id === keyId, each.status])),
      new Map([
        [true, 'active'],
        [false, 'active'],
      ]),
    )
    assert.equal(imported['template_id'], 'mug')
    assert.deepEqual(await templateIds(server, key), ['mug', SMALL_TEMPLATE_ID])
    assert.equal((await generate(server, key, 'mug')).status, 200)
    const [artwork, mockup] = [path.join(folder, 'artwork.png'), path.join(folder, `${database.kind}.jpg`)]
    await writeFile(artwork, await png(60, 80))
    const [listedTemplates, rendered] = await Promise.all([
      vitrine('template', 'list'),
      vitrine('render', 'mug', artwork, '-o', mockup, '--width', '90'),
    ])
    const { templates } = z
      .object({ templates: z.array(z.looseObject({ template_id: z.string() })) })
      .parse(listedTemplates)
    assert.deepEqual(
      templates.map(each => each.template_id),
      ['mug', SMALL_TEMPLATE_ID],
    )
    assert.deepEqual([rendered['template_id'], rendered['width']], ['mug', 90])
    assert.equal(rendered['size_bytes'], (await readFile(mockup)).length)
    const [revoked, removed, signIn] = await Promise.all([
      vitrine('key', 'revoke', keyId),
      vitrine('template', 'remove', 'mug'),
      vitrine('account', 'sign-in-link', '--email', 'shop@example.com'),
    ])
    assert.deepEqual([revoked['key_id'], removed['template_id']], [keyId, 'mug'])
    assert.equal((await ask(server, secondKey, '/templates')).status, 401)
    assert.deepEqual(await templateIds(server, key), [SMALL_TEMPLATE_ID])
    assert.equal((await generate(server, key, 'mug')).status, 404)

    const link = new URL(String(signIn['url']))
    assert.equal(
      link.origin,
      server.url,
      'it leads to the server’s address, although the port was chosen automatically',
    )
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

    const copy = path.join(folder, `copy-${database.kind}`)
    const [{ accounts, violations }, backedUp] = await Promise.all([
      vitrine('ledger', 'verify'),
      runHere(['backup', copy, '--json'], environment),
    ])
    assert.deepEqual({ accounts, violations }, { accounts: 2, violations: 0 })
    assert.equal(await balance(server, key), 1005)
    if (database.kind === 'postgres') {
      assert.deepEqual([backedUp.code, /pg_dump/.test(String(backedUp.json['error']))], [1, true])
    } else {
      assert.deepEqual([backedUp.code, backedUp.json['path']], [0, copy])
      const another = await refusedStart(environment)
      assert.deepEqual([another.code, /already serves/.test(another.stderr)], [1, true])
    }
    assert.equal((await generate(server, key, SMALL_TEMPLATE_ID)).status, 200)
    await server.stop()
  })
})

describe('after a crash', () => {
  test('a killed server leaves a folder that the next one can use', async () => {
    const { dataDir, key } = await makeData(path.join(folder, 'killed'))
    const server = await start({ DATA_DIR: dataDir })
    const lost = Array.from({ length: 5 }, () => generate(server, key, SMALL_TEMPLATE_ID).catch(() => null))
    await server.stop('SIGKILL')
    await Promise.all(lost)
    const next = await start({ DATA_DIR: dataDir })
    const verified = await runHere(['ledger', 'verify', '--json'], { DATA_DIR: dataDir })
    assert.deepEqual([verified.json['violations'], verified.json['open_reservations']], [0, 0])
    assert.equal((await generate(next, key, SMALL_TEMPLATE_ID)).status, 200)
    await next.stop()
  })
})
