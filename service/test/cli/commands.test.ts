import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { inspectArtwork } from '@vitrine/engine'
import { z } from 'zod'
import {
  goodBundle,
  goodDescription,
  goodMapBundle,
  jsonBytes,
  png,
  writeBundle,
} from '../../../engine/test/bundles/make-bundle.ts'
import { hasApiKeyForm } from '../../src/api-keys/api-key-format.ts'
import { floorArea, writeBundle as makeColoredBundle } from '../mockups/test-bundle.ts'
import { runHere } from './run-here.ts'
import { type Ran, runVitrine } from './run-vitrine.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-cli-'))
after(() => rm(folder, { recursive: true, force: true }))
const dataDir = path.join(folder, 'data')
const vitrine = (...args: readonly string[]): Promise<Ran> => runHere(args, { DATA_DIR: dataDir })

/** A failing command reports one sentence on the error stream, and JSON if requested. */
async function assertRefused(
  args: readonly string[],
  sentence: RegExp,
  environment: Readonly<Record<string, string>> = { DATA_DIR: dataDir },
): Promise<void> {
  const { code, stdout, stderr, json } = await runHere([...args, '--json'], environment)
  assert.equal(code, 1, stdout)
  assert.match(stderr, sentence)
  assert.match(stderr, /^vitrine: [A-Z].*\n$/)
  assert.equal(stderr, `vitrine: ${String(json['error'])}\n`)
  assert.equal(stdout.trimEnd().split('\n').length, 1)
}

async function makeBundle(name: string, description: Record<string, unknown> = {}): Promise<string> {
  const place = path.join(folder, name)
  await mkdir(place)
  const files = await goodBundle()
  files['template.json'] = jsonBytes({ ...goodDescription(), id: name, ...description })
  await writeBundle(place, files)
  return place
}

describe('before there is any data', () => {
  test('a read-only command creates none and says where it looked', async () => {
    const elsewhere = path.join(folder, 'elsewhere')
    await assertRefused(['ledger', 'verify'], /There is no Vitrine data in .*elsewhere/, { DATA_DIR: elsewhere })
    await assert.rejects(readdir(elsewhere), { code: 'ENOENT' })
  })

  test('help and version succeed, an unknown command fails', async () => {
    assert.equal((await runVitrine(['--help'], {})).code, 0)
    assert.match((await runVitrine(['--version'], {})).stdout, /^\d+\.\d+\.\d+ \([0-9a-f]{12}\)\n$/)
    await assertRefused(['sell'], /sell/)
  })
})

describe('accounts, credits and keys', () => {
  before(async () => {
    const made = await vitrine('account', 'create', '--email', 'one@example.com', '--credits', '25', '--json')
    assert.equal(made.code, 0, made.stderr)
    assert.match(String(made.json['account_id']), /^acc_/)
    assert.equal(made.json['email'], 'one@example.com')
  })

  test('an address has only one account', async () => {
    await assertRefused(['account', 'create', '--email', 'ONE@example.com'], /already/)
    await assertRefused(['account', 'create', '--email', 'nobody'], /e-mail address/)
    await assertRefused(['account', 'create', '--email', 'x@example.com', '--credits', '1.5'], /whole number/)
    const listed = await vitrine('account', 'list', '--json')
    const accounts = listed.json['accounts']
    assert.ok(Array.isArray(accounts))
    assert.deepEqual(
      accounts.map(({ email, balance_credits }) => [email, balance_credits]),
      [['one@example.com', 25]],
    )
    assert.match((await vitrine('account', 'list')).stdout, /one@example\.com +customer +25/)
  })

  test('granted credits can be spent, and are in the ledger', async () => {
    const made = await vitrine('account', 'create', '--email', 'two@example.com', '--json')
    assert.equal(made.json['credits'], 0)
    const grant = ['credits', 'grant', '--email', 'two@example.com', '--credits', '100', '--reason', 'a gift']
    assert.equal((await vitrine(...grant, '--json')).json['balance_credits'], 100)
    assert.match((await vitrine(...grant)).stdout, /200/)
    await assertRefused(
      ['credits', 'grant', '--email', 'two@example.com', '--credits', '0', '--reason', 'x'],
      /credits/,
    )
    await assertRefused(
      ['credits', 'grant', '--email', 'no@example.com', '--credits', '1', '--reason', 'x'],
      /no account/,
    )
    const verified = await vitrine('ledger', 'verify', '--json')
    assert.deepEqual([verified.code, verified.json['accounts'], verified.json['violations']], [0, 2, 0])
  })

  test('closed months are archived, never the current one or the one before it', async () => {
    const archived = await vitrine('ledger', 'archive', '--before', '2020-02', '--json')
    assert.deepEqual([archived.code, archived.json], [0, { before: '2020-02', accounts: 0, files: 0, entries: 0 }])
    const thisMonth = new Date().toISOString().slice(0, 7)
    for (const month of [thisMonth, '2999-01', '2020-13', 'january']) {
      await assertRefused(['ledger', 'archive', '--before', month], /Expected a month/)
    }
    const verified = await vitrine('ledger', 'verify', '--archives', '--json')
    assert.deepEqual([verified.code, verified.json['archived_entries'], verified.json['violations']], [0, 0, 0])
  })

  test('a key is shown once, listed without its secret, and revoked for good', async () => {
    const made = await vitrine('key', 'create', '--email', 'one@example.com', '--name', 'Shop', '--json')
    const [keyId, key] = [String(made.json['key_id']), String(made.json['key'])]
    assert.ok(hasApiKeyForm(key))
    const listed = await vitrine('key', 'list', '--email', 'one@example.com', '--json')
    assert.ok(!listed.stdout.includes(key))
    const [first] = Array.isArray(listed.json['keys']) ? listed.json['keys'] : []
    assert.deepEqual(
      [first.key_id, first.name, first.status, first.begins_with],
      [keyId, 'Shop', 'active', key.slice(0, 7)],
    )
    assert.equal((await vitrine('key', 'revoke', keyId, '--json')).json['key_id'], keyId)
    assert.match((await vitrine('key', 'list', '--email', 'one@example.com')).stdout, /revoked/)
    await assertRefused(['key', 'revoke', keyId], /no active key/)
    await assertRefused(['key', 'create', '--email', 'one@example.com', '--name', ' '], /name/)
  })

  test('a publishable key is listed in full, and revoked for good', async () => {
    const create = ['publishable-key', 'create', '--email', 'one@example.com', '--name', 'Shop']
    const made = await vitrine(
      ...create,
      '--origin',
      'https://shop.example,http://localhost:*',
      '--width',
      '480',
      '--json',
    )
    const [keyId, key] = [String(made.json['key_id']), String(made.json['key'])]
    assert.match(key, /^vtp_[0-9A-Za-z]{36}$/)
    const listed = await vitrine('publishable-key', 'list', '--email', 'one@example.com', '--json')
    const [first] = Array.isArray(listed.json['keys']) ? listed.json['keys'] : []
    assert.deepEqual(
      [first.key_id, first.key, first.status, first.origins, first.width, first.watermark],
      [keyId, key, 'active', ['https://shop.example', 'http://localhost:*'], 480, null],
    )
    assert.equal((await vitrine('publishable-key', 'revoke', keyId, '--json')).json['status'], 'revoked')
    await assertRefused(['publishable-key', 'revoke', keyId], /no active publishable key/)
    await assertRefused([...create, '--origin', 'http://shop.example'], /origins such as/)
    const audited = await vitrine('audit', 'list', '--json')
    for (const action of ['publishable_key_created', 'publishable_key_revoked'])
      assert.ok(audited.stdout.includes(action))
  })

  test('a key is limited in time, to scopes and to addresses, and rotated', async () => {
    const create = ['key', 'create', '--email', 'two@example.com', '--name', 'Limited']
    const limits = [
      '--expires',
      '2030-06-30',
      '--scope',
      'read',
      '--allow',
      '192.0.2.7/24,2001:DB8::1',
      '--allow',
      '::1',
    ]
    const made = await vitrine(...create, ...limits, '--json')
    assert.equal(made.code, 0, made.stderr)
    const list = async () => {
      const { json } = await vitrine('key', 'list', '--email', 'two@example.com', '--json')
      const keys: readonly Record<string, unknown>[] = Array.isArray(json['keys']) ? json['keys'] : []
      return new Map(keys.map(key => [key['key_id'], key]))
    }
    const old = (await list()).get(made.json['key_id'])
    assert.partialDeepStrictEqual(old, {
      status: 'active',
      expires_at: '2030-07-01T00:00:00.000Z',
      scopes: ['read'],
      allowed_addresses: ['192.0.2.0/24', '2001:db8::1', '::1'],
      replaced_by: null,
    })
    const rotated = await vitrine(
      'key',
      'rotate',
      String(made.json['key_id']),
      '--overlap',
      '0h',
      '--expires',
      '90d',
      '--json',
    )
    assert.equal(rotated.code, 0, rotated.stderr)
    assert.ok(hasApiKeyForm(String(rotated.json['key'])))
    assert.equal(rotated.json['old_key_id'], made.json['key_id'])
    const after = await list()
    assert.partialDeepStrictEqual(after.get(made.json['key_id']), {
      status: 'expired',
      expires_at: rotated.json['old_key_ends_at'],
      replaced_by: rotated.json['key_id'],
    })
    const next = after.get(rotated.json['key_id'])
    assert.partialDeepStrictEqual(next, { status: 'active', name: 'Limited', scopes: ['read'] })
    const leftDays = (Date.parse(String(next?.['expires_at'])) - Date.now()) / 86_400_000
    assert.ok(leftDays > 89 && leftDays <= 90, String(leftDays))
    assert.match(
      (await vitrine('key', 'list', '--email', 'two@example.com')).stdout,
      / expired .* read +192\.0\.2\.0\/24,/,
    )
    await assertRefused(['key', 'rotate', String(made.json['key_id'])], /no active key/)
    await assertRefused(['key', 'rotate', String(rotated.json['key_id']), '--overlap', '721h'], /0 to 720 hours/)
    await assertRefused(['key', 'rotate', String(rotated.json['key_id']), '--overlap', '1m'], /24h, 90d or 2w/)
    for (const [option, value, sentence] of [
      ['--expires', '2020-01-01', /within the next/],
      ['--expires', 'tomorrow', /never, a time such as 90d/],
      ['--scope', 'write', /render, read/],
      ['--allow', 'example.org', /"example\.org"/],
      ['--name', 'a\u200Bb', /U\+200B/],
    ] as const)
      await assertRefused([...create, option, value], sentence)
    const { json } = await vitrine('audit', 'list', '--email', 'two@example.com', '--json')
    const events = z.array(z.looseObject({ action: z.string(), target: z.string().nullable() })).parse(json['events'])
    const noted = events.find(({ action }) => action === 'key_rotated')
    assert.equal(noted?.target, `${String(made.json['key_id'])} to ${String(rotated.json['key_id'])}`)
    const never = await vitrine(...create, '--expires', 'never', '--json')
    assert.equal((await list()).get(never.json['key_id'])?.['expires_at'], null)
  })

  test('the audit log lists what the commands did, newest first, and for one account', async () => {
    const { json } = await vitrine('audit', 'list', '--json')
    const events = z.array(z.looseObject({ action: z.string(), actor: z.string() })).parse(json['events'])
    for (const action of ['account_created', 'credits_granted', 'key_created', 'key_revoked'])
      assert.ok(
        events.some(event => event.action === action && event.actor === 'operator'),
        action,
      )
    assert.equal(events[0]?.action, 'key_created')
    assert.match((await vitrine('audit', 'list', '--limit', '1')).stdout, /^AT .*\n.* key_created .*\n$/)
    await assertRefused(['audit', 'list', '--email', 'nobody@example.com'], /There is no account/)
  })

  test('manual changes of the ledger are detected', async () => {
    const spoiled = path.join(folder, 'spoiled')
    const environment = { DATA_DIR: spoiled }
    await runHere(['account', 'create', '--email', 'a@example.com', '--credits', '10'], environment)
    const database = new DatabaseSync(path.join(spoiled, 'vitrine.db'))
    database.exec('update wallets set spendable = spendable + 5, granted = granted + 5')
    database.close()
    const verified = await runHere(['ledger', 'verify', '--json'], environment)
    assert.equal(verified.code, 1)
    assert.ok(Number(verified.json['violations']) > 0)
    assert.match((await runHere(['ledger', 'verify'], environment)).stdout, /expected 10 but found 15/)
  })
})

describe('templates', () => {
  test('check explains every fault of a bundle', async () => {
    const bundle = await makeBundle('faulty', { typo: 1, tone: 'sepia' })
    await rm(path.join(bundle, 'front.png'))
    const plain = await runVitrine(['template', 'check', bundle], { DATA_DIR: dataDir })
    assert.equal(plain.code, 1)
    for (const part of ['typo', 'tone', 'sepia', 'front.png']) assert.ok(plain.stdout.includes(part), part)
    const asJson = await vitrine('template', 'check', bundle, '--json')
    assert.equal(asJson.code, 1)
    assert.deepEqual([asJson.json['template_id'], asJson.json['errors']], [null, 3])
    const good = await vitrine('template', 'check', await makeBundle('faultless'), '--json')
    assert.deepEqual([good.code, good.json['template_id'], good.json['errors']], [0, 'faultless', 0])
    await assertRefused(['template', 'check', path.join(folder, 'nowhere')], /no such folder or file/)
  })

  test('import, list and remove', async () => {
    await vitrine('account', 'create', '--email', 'maker@example.com')
    const bundle = await makeBundle('for-all')
    const shared = await runVitrine(['template', 'import', bundle, '--json'], { DATA_DIR: dataDir })
    assert.deepEqual([shared.code, shared.json['template_id']], [0, 'for-all'])
    const own = await makeBundle('for-one')
    const imported = await vitrine('template', 'import', own, '--account', 'maker@example.com', '--json')
    assert.equal(imported.json['template_id'], 'for-one')
    await assertRefused(
      ['template', 'import', bundle, '--account', 'maker@example.com'],
      /The id for-all belongs to a shared template/,
    )
    const broken = await vitrine('template', 'import', await makeBundle('broken', { scene: 'none.png' }))
    assert.equal(broken.code, 1)
    assert.match(broken.stderr, /none\.png/)
    const { json } = await vitrine('template', 'list', '--json')
    assert.ok(Array.isArray(json['templates']))
    assert.deepEqual(
      json['templates'].map(({ template_id, account }) => [template_id, account]),
      [
        ['for-all', null],
        ['for-one', 'maker@example.com'],
      ],
    )
    await assertRefused(['template', 'share', 'no-such'], /no template no-such/)
    const given = await vitrine('template', 'share', 'for-one', '--account', 'maker@example.com', '--json')
    assert.deepEqual(given.json, { template_id: 'for-one', account: null })
    const taken = await vitrine('template', 'share', 'for-one', '--only', 'maker@example.com', '--json')
    assert.deepEqual(taken.json, { template_id: 'for-one', account: 'maker@example.com' })
    assert.equal((await vitrine('template', 'remove', 'for-all')).code, 0)
    await assertRefused(['template', 'remove', 'for-all'], /no template/)
  })

  test('earlier versions are listed, and one is restored by its number', async () => {
    const email = 'versions@example.com'
    const account = ['--account', email]
    await vitrine('account', 'create', '--email', email)
    for (const [folderName, name] of [
      ['changed', 'First'],
      ['changed-again', 'Second'],
    ] as const) {
      const bundle = await makeBundle(folderName, { id: 'changed', name })
      assert.equal((await vitrine('template', 'import', bundle, ...account)).code, 0)
    }
    const before = await vitrine('template', 'versions', 'changed', ...account, '--json')
    const known = z.array(z.looseObject({ version: z.int(), current: z.boolean(), name: z.string() }))
    const shown = known.parse(before.json['versions']).map(({ version, current, name }) => [version, current, name])
    assert.deepEqual(shown, [
      [2, true, 'Second'],
      [1, false, 'First'],
    ])
    await assertRefused(
      ['template', 'restore', 'changed', 'first', ...account],
      /The version must be a number .*: "first" is none/,
    )
    await assertRefused(['template', 'restore', 'changed', '2', ...account], /Version 2 of changed is the current one/)
    await assertRefused(['template', 'restore', 'changed', '7', ...account], /no earlier version 7 of changed/)
    await assertRefused(['template', 'versions', 'no-such'], /no template no-such/)
    const restored = await vitrine('template', 'restore', 'changed', '1', ...account, '--json')
    assert.deepEqual(restored.json, { template_id: 'changed', version: 3, restored_from: 1 })
    const table = (await vitrine('template', 'versions', 'changed', ...account)).stdout
    assert.match(table, /^3 .*version 1, restored .*MiB +First \(current\)$/m)
    assert.match(table, /^2 .*import .*MiB +Second$/m)
  })

  test('an id used several times refers to the shared template, or to that of the given account', async () => {
    const artwork = path.join(folder, 'anything.png')
    await writeFile(artwork, await png(60, 80))
    const render = (...options: string[]) =>
      vitrine('render', 'namesake', artwork, '-o', path.join(folder, 'o.jpg'), '--width', '60', '--json', ...options)
    const owners = ['first@example.com', 'second@example.com']
    for (const email of owners) await vitrine('account', 'create', '--email', email)
    const bundle = await makeBundle('namesake')
    const importFor = async (scene: Uint8Array, ...options: string[]) => {
      await writeFile(path.join(bundle, 'scene.png'), scene)
      assert.equal((await vitrine('template', 'import', bundle, ...options)).code, 0)
    }
    await importFor(await png(120, 90), '--account', 'first@example.com')
    assert.equal((await render()).json['height'], 45, 'the only one')
    await importFor(await png(120, 120), '--account', 'second@example.com')
    for (const args of [
      ['template', 'remove', 'namesake'],
      ['render', 'namesake', artwork, '-o', path.join(folder, 'o.jpg')],
    ])
      await assertRefused(args, /The template namesake is in 2 accounts: name one of them with --account/)
    assert.equal((await render('--account', 'first@example.com')).json['height'], 45)
    assert.equal((await render('--account', 'second@example.com')).json['height'], 60)
    await importFor(await png(120, 150))
    assert.equal((await render()).json['height'], 75, 'the shared one')
    await assertRefused(
      ['template', 'share', 'namesake', '--account', 'first@example.com', '--only', 'second@example.com'],
      /another template namesake/,
    )
    assert.equal((await vitrine('template', 'remove', 'namesake', '--account', 'first@example.com')).code, 0)
    await assertRefused(['template', 'remove', 'namesake', '--account', 'first@example.com'], /of first@example.com/)
    assert.equal((await vitrine('template', 'remove', 'namesake')).code, 0)
    const { json } = await vitrine('template', 'list', '--json')
    const left = z.array(z.looseObject({ template_id: z.string(), account: z.string().nullable() }))
    assert.deepEqual(
      left
        .parse(json['templates'])
        .filter(({ template_id }) => template_id === 'namesake')
        .map(({ account }) => account),
      ['second@example.com'],
    )
  })
})

describe('render', () => {
  const artwork = path.join(folder, 'artwork.png')
  before(async () => writeFile(artwork, await png(60, 80)))

  test('a bundle and an artwork make a mockup, without output in a pipe', async () => {
    const out = path.join(folder, 'mockup.jpg')
    const ran = await runVitrine(['render', await makeBundle('drawn'), artwork, '-o', out, '--width', '300'], {})
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', ''])
    const facts = inspectArtwork(await readFile(out))
    assert.deepEqual([facts.type, facts.widthPx, facts.heightPx], ['jpeg', 300, 225])
  })

  test('the format is the requested one, else that of the name; the quality has an effect', async () => {
    const bundle = await makeBundle('formats')
    const sizes: number[] = []
    for (const [name, ...options] of [
      ['a.png'],
      ['b.jpg', '--format', 'png'],
      ['c', '--quality', '95'],
      ['d', '--quality', '10'],
    ] as const) {
      const ran = await vitrine(
        'render',
        bundle,
        artwork,
        '-o',
        path.join(folder, name),
        '--width',
        '200',
        '--json',
        ...options,
      )
      assert.equal(ran.code, 0, ran.stderr)
      assert.equal(inspectArtwork(await readFile(path.join(folder, name))).type, ran.json['format'])
      assert.equal(ran.json['format'], name < 'c' ? 'png' : 'jpeg')
      sizes.push(Number(ran.json['size_bytes']))
    }
    assert.ok((sizes[2] ?? 0) > (sizes[3] ?? 0))
  })

  test('options place the artwork, and errors in them are reported as for a request', async () => {
    const bundle = await makeBundle('placed')
    const render = async (...options: string[]) => {
      const out = path.join(folder, 'placed.png')
      const ran = await vitrine('render', bundle, artwork, '-o', out, '--width', '200', '--json', ...options)
      return { ...ran, bytes: ran.code === 0 ? await readFile(out) : null }
    }
    const plain = await render()
    const all =
      '--fit contain --scale 0.5 --rotation -17 --x 0.4 --y 0.6 --flip both --background #1f2a44 --focus 0.1,0.9'
    const placed = await render(...all.split(' '))
    assert.ok(plain.bytes && placed.bytes && !plain.bytes.equals(placed.bytes))
    const half = await render('--placements', '{"0": {"scale": 0.5}}')
    assert.deepEqual(half.bytes, (await render('--scale', '0.5')).bytes)
    assert.ok(half.bytes && !half.bytes.equals(placed.bytes))
    assert.equal((await render('--repeat', 'tile', '--scale', '0.2')).code, 0)
    for (const [options, message] of [
      [['--scale', '99'], /Expected a number from 0.05 to 20 for placement.scale but received 99/],
      [['--fit', 'fill'], /"cover" or "contain" or "stretch" for placement.fit but received "fill"/],
      [['--placements', '{"7": {}}'], /Expected frames from 0 to 0 .* but received 7/],
      [['--placements', 'x'], /Expected an object that maps frame indices to placements/],
    ] as const) {
      const ran = await render(...options)
      assert.notEqual(ran.code, 0)
      assert.match(ran.stderr + JSON.stringify(ran.json), message)
    }
  })

  test('an option changes the colour of a part of the product, and the check lists these parts', async () => {
    const bundle = await makeColoredBundle(path.join(folder, 'colored'), 'colored', 1, [floorArea])
    const checked = await vitrine('template', 'check', bundle)
    assert.match(checked.stdout, /Colour area floor: default #787878; suggested Navy #1f2a44\./)
    const render = async (...options: string[]) => {
      const out = path.join(folder, 'colored.png')
      const ran = await vitrine('render', bundle, artwork, '-o', out, '--width', '40', '--json', ...options)
      return { ...ran, bytes: ran.code === 0 ? await readFile(out) : null }
    }
    const plain = await render()
    const navy = await render('--color', 'floor=#1F2A44')
    assert.ok(plain.bytes && navy.bytes && !plain.bytes.equals(navy.bytes))
    assert.deepEqual((await render('--color', 'floor=#787878')).bytes, plain.bytes)
    for (const [option, message] of [
      ['proof=#1f2a44', /Expected the colour areas of colored \(floor\) for --color but received .*proof/],
      ['floor=navy', /Expected floor=#rrggbb for --color but received .*floor=navy/],
      ['floor', /Expected floor=#rrggbb for --color/],
    ] as const) {
      const ran = await render('--color', option)
      assert.notEqual(ran.code, 0)
      assert.match(ran.stderr + JSON.stringify(ran.json), message)
    }
  })

  test('a stored template is rendered by its id, and a bundled one without any data', async () => {
    const place = path.join(folder, 'mapped')
    await mkdir(place)
    await writeBundle(place, await goodMapBundle())
    await vitrine('template', 'import', place)
    const own = await vitrine('render', 'mug', artwork, '-o', path.join(folder, 'mug.jpg'), '--width', '100', '--json')
    assert.deepEqual([own.json['template_id'], own.json['width']], ['mug', 100])
    const without = { DATA_DIR: path.join(folder, 'no-data') }
    const args = [
      'render',
      'oak-frame-portrait',
      artwork,
      '-o',
      path.join(folder, 'oak.jpg'),
      '--width',
      '100',
      '--json',
    ]
    const shipped = await runHere(args, without)
    assert.equal(shipped.json['template_id'], 'oak-frame-portrait', shipped.stderr)
  })

  test('a failed render is reported in a sentence and leaves no file', async () => {
    const bundle = await makeBundle('refusing')
    const noPicture = path.join(folder, 'no-picture')
    await writeFile(noPicture, 'text')
    const out = path.join(folder, 'never.jpg')
    await assertRefused(['render', bundle, noPicture, '-o', out, '--width', '60'], /artwork cannot be used/)
    await assertRefused(['render', bundle, path.join(folder, 'nothing.png'), '-o', out], /cannot be read/)
    await assertRefused(['render', bundle, 'https://example.com/a.png', '-o', out], /path of a file, not an address/)
    await assertRefused(['render', bundle, artwork, artwork, '-o', out], /Expected one artwork/)
    await assertRefused(['render', 'no-such-template', artwork, '-o', out], /no template/)
    await assertRefused(['render', bundle, artwork, '-o', out, '--width', '4001'], /width/)
    await assertRefused(['render', bundle, artwork, '-o', out, '--format', 'gif'], /jpeg or png/)
    const nowhere = path.join(folder, 'no', 'folder.jpg')
    await assertRefused(['render', bundle, artwork, '-o', nowhere, '--width', '60'], /cannot be written/)
    const before = await readFile(artwork)
    await assertRefused(['render', bundle, artwork, '-o', artwork], /another file than/)
    assert.deepEqual(await readFile(artwork), before)
    for (const [name, sentence, ...options] of [
      ['x.webp', /ends with \.jpg or \.png for --output but received ".*x\.webp"/],
      ['x.TIFF', /ends with \.jpg or \.png/],
      ['x.gif', /ends with \.jpg or \.png/, '--format', 'png'],
    ] as const)
      await assertRefused(['render', bundle, artwork, '-o', path.join(folder, name), ...options], sentence)
    await assert.rejects(readFile(out), { code: 'ENOENT' })
  })
})

test('a bad setting stops every command, and is named', async () => {
  await assertRefused(['account', 'list'], /PORT/, { DATA_DIR: dataDir, PORT: 'eighty' })
})

test('settings files are checked together, with all problems at once, without a service or data', async () => {
  const file = async (name: string, ...lines: readonly string[]): Promise<string> => {
    const place = path.join(folder, name)
    await writeFile(place, `${lines.join('\n')}\n`)
    return place
  }
  const secret = 'correct-horse-battery-staple-of-metrics'
  const plain = await file('plain.env', '# A comment.', 'PORT=80x', 'S3_ENDPOINT=https://s3.example.com', 'TZ=UTC')
  const secrets = await file('secrets.env', 'PORT=8080', 'S3_BUCKET=b', 'S3_ACCESS_KEY_ID=k', 'S3_SECRET_ACCESS_KEY=s')
  const sound = await vitrine('settings', 'check', plain, secrets, '--json')
  assert.equal(sound.code, 0, sound.stderr)
  assert.deepEqual(new Set(Object(sound.json)['settings']).has('S3_BUCKET'), true)

  const wrong = await file('wrong.env', 'RENDER_WORKES=2', 'SHOP=x', `METRICS_TOKEN="${secret}"`, 'PORT=eighty')
  const { code, stdout, stderr } = await vitrine('settings', 'check', plain, wrong)
  assert.deepEqual([code, stdout], [1, ''])
  for (const problem of [
    /wrong\.env: Expected the name of a setting but received RENDER_WORKES: is it RENDER_WORKERS\?/,
    /received SHOP: docs\/reference\/configuration\.md lists them\./,
    /Expected a value for METRICS_TOKEN without quotes/,
    /for PORT but received "eighty"/,
    /Expected a value for S3_BUCKET, because S3_ENDPOINT is set/,
  ])
    assert.match(stderr, problem)
  assert.ok(!stderr.includes(secret))
  await assertRefused(['settings', 'check', path.join(folder, 'no.env')], /cannot be read \(ENOENT\)/)
})

test('a database of a newer program is not changed', async () => {
  const newer = path.join(folder, 'newer')
  const environment = { DATA_DIR: newer }
  await runHere(['account', 'create', '--email', 'a@example.com'], environment)
  const database = new DatabaseSync(path.join(newer, 'vitrine.db'))
  database.exec("insert into schema_migrations values ('9999-from-the-future', 0, 'what it needs', '')")
  database.close()
  await assertRefused(['account', 'list'], /newer Vitrine/, environment)
})
