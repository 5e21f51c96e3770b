import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { BundleError, inspectArtwork, packWidthsPx } from '@vitrine/engine'
import { Accounts } from '../../src/accounts/accounts.ts'
import { DiskStorage } from '../../src/storage/disk-storage.ts'
import type { OpenObject } from '../../src/storage/object-storage.ts'
import { UploadRoom } from '../../src/storage/upload-room.ts'
import { inspectBundle } from '../../src/templates/inspect-bundle.ts'
import { sampleArtworkFile } from '../../src/templates/open-template-store.ts'
import {
  TemplateIdTakenError,
  TemplateQuotaReachedError,
  TemplateStorageFullError,
} from '../../src/templates/template-errors.ts'
import { measureOwnedTemplates } from '../../src/templates/template-queries.ts'
import type { TemplateQuery, TemplateRecord } from '../../src/templates/template-record.ts'
import { TemplateStore } from '../../src/templates/template-store.ts'
import { describeOnBothDatabases } from '../servers/test-database.ts'
import { writeGoodBundle } from './good-bundle.ts'
import { inspectOnce } from './inspect-once.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-templates-'))
after(() => rm(folder, { recursive: true, force: true }))
const inspect = inspectOnce(folder, inspectBundle)

describeOnBothDatabases('templates', use => {
  let nowMs = Date.UTC(2026, 0, 1)
  let storeCount = 0
  let objects: DiskStorage
  const lastPlace = (): string => path.join(folder, `${use().database.kind}-${storeCount}`)
  function openStore(quotaBytes = 1024 * 1024 * 1024): TemplateStore {
    storeCount++
    return reopenStore(quotaBytes)
  }
  function reopenStore(quotaBytes = 1024 * 1024 * 1024, cacheBytes = 1024 * 1024 * 1024): TemplateStore {
    const place = lastPlace()
    objects = new DiskStorage(path.join(place, 'objects'))
    return new TemplateStore({
      room: new UploadRoom(null, 0),
      database: use().database,
      storage: objects,
      cacheFolder: path.join(place, 'cache'),
      cacheBytes,
      previewFolder: path.join(place, 'previews'),
      importFolder: path.join(place, 'imports'),
      quotaBytes,
      sampleArtwork: sampleArtworkFile,
      inspect,
      clock: () => nowMs,
    })
  }
  let accountCount = 0
  async function makeAccount(): Promise<string> {
    return (await new Accounts(use().database).create({ email: `a${++accountCount}@example.com` })).accountId
  }
  const makeBundle = (description?: Record<string, unknown>, without?: readonly string[]) =>
    writeGoodBundle(folder, description, without)
  const all = (accountId: string, query: Partial<TemplateQuery> = {}): TemplateQuery => ({
    accountId,
    page: 1,
    limit: 100,
    ...query,
  })

  test('an imported bundle is listed, found and copied to the disk byte for byte', async () => {
    const store = openStore()
    const bundle = await makeBundle({ id: 'whole' })
    const imported = await store.importBundle({ path: bundle, ownerAccountId: null })
    assert.deepEqual(imported, { templateId: 'whole', version: 1, isChanged: true, warnings: [] })
    const record = (await store.find(['whole', 'unknown', 'NO ID\0'], 'acc_any')).get('whole')
    assert.ok(record)
    const { thumbnailPath, revision, objectPrefix, files, digest, importedAtMs, look, ...shown } = record
    assert.match(digest, /^[0-9a-f]{64}$/)
    assert.deepEqual(shown, {
      id: 'whole',
      version: 1,
      ownerAccountId: null,
      name: 'Oak frame',
      category: 'Wall Art',
      type: 'product',
      surfaceType: 'paper',
      renderMode: 'corners',
      blendMode: 'normal',
      aspectRatios: [0.75],
      colors: [],
      sharesBundle: false,
      slots: [],
    })
    assert.equal(importedAtMs, nowMs)
    assert.ok(look)
    assert.match(thumbnailPath, /^\/thumbnails\/[0-9A-Za-z]{32}\.jpg$/)
    assert.equal(thumbnailPath, `/thumbnails/${revision}.jpg`)
    assert.match(objectPrefix, /^templates\/whole\//)
    const local = await store.localBundle(record)
    assert.match(local.key, /^whole@/)
    assert.deepEqual(await store.localBundle(record), local)
    for (const file of files) {
      assert.deepEqual(await readFile(path.join(local.folder, file)), await readFile(path.join(bundle, file)))
    }
    assert.equal(files.length, 7)
  })

  test('local files that differ from the import are copied again: at the first use, and after a failed render', async () => {
    const store = openStore()
    await store.importBundle({ path: await makeBundle({ id: 'broken' }), ownerAccountId: null })
    const record = await store.get('broken')
    assert.ok(record)
    const [name = ''] = record.files
    const local = await store.localBundle(record)
    const content = await readFile(path.join(local.folder, name))
    assert.equal(await store.replaceBroken(record), false)
    assert.deepEqual(await store.localBundle(record), local)

    await writeFile(path.join(local.folder, name), '')
    assert.deepEqual(await Promise.all([store.replaceBroken(record), store.replaceBroken(record)]), [true, true])
    const replaced = await store.localBundle(record)
    assert.notEqual(replaced.folder, local.folder)
    assert.deepEqual(await readFile(path.join(replaced.folder, name)), content)
    assert.equal(await store.replaceBroken(record), false)

    // As found by a process that starts on a folder after a disk or program error.
    await cp(replaced.folder, local.folder, { recursive: true })
    await writeFile(path.join(local.folder, name), '')
    const restarted = reopenStore()
    const again = await restarted.localBundle(record)
    assert.deepEqual(await readFile(path.join(again.folder, name)), content)

    await store.remove({ id: 'broken', ownerAccountId: null })
    nowMs += 3_600_001
    await store.prune()
    assert.deepEqual(await readdir(path.dirname(local.folder)), [])
  })

  test('each node evicts copies that no template needs, and the least recently used beyond the limit', async () => {
    const store = openStore()
    const cache = path.join(lastPlace(), 'cache')
    const ids = ['kept', 'gone', 'used', 'large']
    for (const id of ids) await store.importBundle({ path: await makeBundle({ id }), ownerAccountId: null })
    const records = await store.find(ids, 'acc_any')
    const bring = async (from: TemplateStore, id: string) => {
      const record = records.get(id)
      assert.ok(record)
      return (await from.localBundle(record)).folder
    }
    const isThere = async () => (await readdir(cache)).map(name => name.replace(/@.*/, '')).sort()
    const folders = new Map<string, string>()
    for (const id of ids) folders.set(id, await bring(store, id))
    await mkdir(path.join(cache, '.draft-ofacrash'))
    const age = (id: string, minutes: number) => {
      const then = new Date(Date.now() - minutes * 60_000)
      return utimes(folders.get(id) ?? path.join(cache, id), then, then)
    }
    await store.remove({ id: 'gone', ownerAccountId: null })
    for (const id of ids) await age(id, 0)
    await store.trimCache()
    assert.deepEqual(await isThere(), ['.draft-ofacrash', ...ids.toSorted()], 'requests may be using all of them')

    for (const [index, id] of ids.entries()) await age(id, 10 - index)
    await age('.draft-ofacrash', 61)
    // Another node on another disk finds the same: it need not be told of the removal.
    await reopenStore().trimCache()
    assert.deepEqual(await isThere(), ['kept', 'large', 'used'])

    const bounded = reopenStore(undefined, 1)
    await bring(bounded, 'kept')
    await bounded.trimCache()
    assert.deepEqual(await isThere(), ['kept'], 'the one in use exceeds the limit and stays')
    await age('kept', 1)
    await reopenStore(undefined, 1).trimCache()
    assert.deepEqual(await isThere(), [])
    const again = await bring(bounded, 'used')
    assert.ok((await readdir(again)).includes('template.json'))
  })

  test('objects that differ from the import are not copied to a folder', async () => {
    const store = openStore()
    await store.importBundle({ path: await makeBundle({ id: 'exchanged' }), ownerAccountId: null })
    const record = await store.get('exchanged')
    assert.ok(record)
    const place = lastPlace()
    await objects.put(`${record.objectPrefix}0`, Uint8Array.of(1))
    await assert.rejects(store.localBundle(record), /the objects of the template exchanged are not those/)
    assert.deepEqual(await readdir(path.join(place, 'cache')), [])
  })

  test('files that the template does not reference are not stored; a picture among them causes a warning, a note does not', async () => {
    const store = openStore()
    const bundle = await makeBundle({ id: 'with-notes' })
    await writeFile(path.join(bundle, 'notes.txt'), 'mine')
    await writeFile(path.join(bundle, 'stray.png'), 'not named')
    const { warnings } = await store.importBundle({ path: bundle, ownerAccountId: null })
    assert.deepEqual(
      warnings.map(warning => warning.file),
      ['stray.png'],
    )
    const kept = (await store.get('with-notes'))?.files ?? []
    assert.deepEqual(
      kept.filter(file => ['notes.txt', 'stray.png'].includes(file)),
      [],
    )
  })

  test('a broken bundle is refused with all its faults and leaves nothing', async () => {
    const store = openStore()
    const bundle = await makeBundle({ id: 'broken', typo: 1, tone: 'sepia' })
    await assert.rejects(store.importBundle({ path: bundle, ownerAccountId: null }), (error: unknown) => {
      assert.ok(error instanceof BundleError)
      assert.deepEqual(error.faults.map(fault => fault.field).sort(), ['tone', 'typo'])
      return true
    })
    assert.equal(await store.get('broken'), null)
    assert.deepEqual(await objects.list(''), [])
  })

  test('the same bundle again changes nothing, another one is the next version', async () => {
    const store = openStore()
    const first = await makeBundle({ id: 'versions' })
    await store.importBundle({ path: first, ownerAccountId: null })
    const again = await store.importBundle({ path: first, ownerAccountId: null })
    assert.deepEqual([again.version, again.isChanged], [1, false])
    const before = await store.get('versions')
    const second = await makeBundle({ id: 'versions', name: 'Oak frame, new' })
    const replaced = await store.importBundle({ path: second, ownerAccountId: null })
    assert.deepEqual([replaced.version, replaced.isChanged], [2, true])
    const now = await store.get('versions')
    assert.ok(before && now)
    assert.equal(now.name, 'Oak frame, new')
    assert.notEqual(now.thumbnailPath, before.thumbnailPath)
    assert.equal(await store.openThumbnail(before.thumbnailPath), null)
  })

  test('a request that began with a replaced version still gets it; an hour later its objects are removed', async () => {
    const store = openStore()
    const bundle = await makeBundle({ id: 'replaced' })
    await store.importBundle({ path: bundle, ownerAccountId: null })
    const old = await store.get('replaced')
    assert.ok(old)
    await store.remove(old)
    await store.importBundle({ path: bundle, ownerAccountId: null })
    const current = await store.get('replaced')
    assert.ok(current)
    await store.prune()
    const { folder: oldFolder } = await store.localBundle(old)
    assert.equal((await readdir(oldFolder)).includes('template.json'), true)
    nowMs += 61 * 60_000
    await store.prune()
    await assert.rejects(readdir(oldFolder), { code: 'ENOENT' })
    assert.deepEqual(await objects.list(old.objectPrefix), [])
    assert.equal((await objects.list(current.objectPrefix)).length, 8 + packWidthsPx.length)
    await store.localBundle(current)
  })

  test('a private template does not exist for others, who may use its id for their own; ids of shared ones are refused', async () => {
    const store = openStore()
    const [owner, stranger] = [await makeAccount(), await makeAccount()]
    const bundle = await makeBundle({ id: 'private', name: 'Private one', category: 'Secret' })
    await store.importBundle({ path: bundle, ownerAccountId: owner })
    assert.equal((await store.find(['private'], owner)).size, 1)
    assert.equal((await store.find(['private'], stranger)).size, 0)
    assert.ok((await store.list(all(owner))).categories.includes('Secret'))
    const seen = await store.list(all(stranger))
    assert.ok(!seen.categories.includes('Secret') && !seen.templates.some(({ id }) => id === 'private'))
    const imported = await store.importBundle({ path: bundle, ownerAccountId: stranger })
    const first = { templateId: 'private', version: 1, isChanged: true, warnings: [] }
    assert.deepEqual(imported, first, 'as if it did not exist')
    const shared = await makeBundle({ id: 'shared' })
    await store.importBundle({ path: shared, ownerAccountId: null })
    await assert.rejects(store.importBundle({ path: shared, ownerAccountId: owner }), TemplateIdTakenError)
    await store.remove({ id: 'shared', ownerAccountId: null })
    await assert.rejects(store.importBundle({ path: shared, ownerAccountId: owner }), TemplateIdTakenError, 'for ever')
  })

  test('templates with the same id are independent, and the operator can always use the id', async () => {
    const store = openStore()
    const [one, two, third] = [await makeAccount(), await makeAccount(), await makeAccount()]
    const id = 'namesake'
    const importAs = async (ownerAccountId: string | null, name: string) =>
      store.importBundle({ path: await makeBundle({ id, name }), ownerAccountId })
    await importAs(one, 'Of one')
    await importAs(two, 'Of two')
    assert.equal((await importAs(two, 'Of two, again')).version, 2)
    assert.equal((await importAs(null, 'Shared')).version, 1)
    const names = [
      [one, 'Of one', 1],
      [two, 'Of two, again', 2],
      [third, 'Shared', 1],
    ] as const
    const records: TemplateRecord[] = []
    for (const [accountId, name, version] of names) {
      const record = (await store.find([id, id], accountId)).get(id)
      assert.deepEqual([record?.name, record?.version], [name, version])
      const listed = (await store.list(all(accountId))).templates.filter(each => each.id === id)
      assert.deepEqual(
        listed.map(each => each.name),
        [name],
        'listed once, as it is found',
      )
      if (record) records.push(record)
    }
    assert.equal((await store.list(all(third, { search: 'of two' }))).total, 0)
    const bundles = await Promise.all(records.map(record => store.localBundle(record)))
    for (const [index, bundle] of bundles.entries()) {
      const description = await readFile(path.join(bundle.folder, 'template.json'), 'utf8')
      assert.ok(description.includes(`"${names[index]?.[1]}"`), 'on the disk')
    }
    for (const unique of [
      bundles.map(({ key }) => key),
      bundles.map(({ folder: place }) => place),
      records.map(({ objectPrefix }) => objectPrefix),
      records.map(({ thumbnailPath }) => thumbnailPath),
    ])
      assert.equal(new Set(unique).size, 3, String(unique))
    assert.deepEqual([await store.countOwned(one), await store.countOwned(two)], [1, 1])
    assert.deepEqual(await store.ownedIds(two), [id])
    const everybody = (await store.listAll()).filter(each => each.id === id)
    assert.deepEqual(new Set(everybody.map(each => each.ownerAccountId)), new Set([one, two, null]))

    assert.equal(await store.remove({ id, ownerAccountId: one }), true)
    assert.equal((await store.find([id], one)).get(id)?.name, 'Shared', 'the shared one, if there is no own one')
    assert.equal((await store.find([id], two)).get(id)?.name, 'Of two, again')
    assert.equal((await importAs(one, 'Of one, back')).version, 2, 'the id is still its own')
    assert.equal(await store.remove({ id, ownerAccountId: null }), true)
    assert.deepEqual([(await store.find([id], third)).size, (await store.find([id], one)).size], [0, 1])
    assert.equal((await importAs(null, 'Shared, back')).version, 2)
  })

  test('concurrent first imports of one id by several owners have the same result as sequential ones', async () => {
    const store = openStore()
    const owners = [await makeAccount(), await makeAccount(), null]
    const bundles = await Promise.all(owners.map((_, n) => makeBundle({ id: 'at-once', name: `Number ${n}` })))
    const imports = await Promise.allSettled(
      owners.map((ownerAccountId, n) => store.importBundle({ path: bundles[n] ?? '', ownerAccountId })),
    )
    const namesakes = await store.namesakes('at-once')
    // A private one that is imported after the shared one is refused, in whatever order they end.
    for (const [n, outcome] of imports.entries()) {
      const isThere = namesakes.some(({ ownerAccountId }) => ownerAccountId === owners[n])
      if (outcome.status === 'fulfilled') assert.ok(isThere && outcome.value.version === 1)
      else assert.ok(outcome.reason instanceof TemplateIdTakenError && !isThere, String(outcome.reason))
    }
    assert.ok(namesakes.some(({ ownerAccountId }) => ownerAccountId === null))
  })

  test('a removed template is gone at once, its id stays its owner’s, and importing it again is the next version', async () => {
    const store = openStore()
    const owner = await makeAccount()
    const bundle = await makeBundle({ id: 'removed' })
    await store.importBundle({ path: bundle, ownerAccountId: owner })
    const record = await store.get('removed', owner)
    assert.ok(record)
    assert.equal(await store.remove(record), true)
    assert.equal(await store.remove(record), false)
    assert.equal(await store.remove({ id: 'never-there', ownerAccountId: owner }), false)
    assert.equal(await store.remove({ id: 'removed', ownerAccountId: null }), false)
    assert.equal(await store.get('removed', owner), null)
    assert.equal(await store.openThumbnail(record.thumbnailPath), null)
    const again = await store.importBundle({ path: bundle, ownerAccountId: owner })
    assert.deepEqual([again.version, again.isChanged], [2, true])
    await assert.rejects(use().database.queries.deleteFrom('templates').execute(), /never freed/)
  })

  test('an owner never exceeds its number of templates, however many imports race; replacing one works at the limit', async () => {
    const store = openStore()
    const owner = await makeAccount()
    const limits = { ownerAccountId: owner, ownedMax: 2 }
    const bundles = await Promise.all([1, 2, 3, 4].map(n => makeBundle({ id: `quota-${n}` })))
    const outcomes = await Promise.allSettled(bundles.map(path => store.importBundle({ path, ...limits })))
    const refused = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
    assert.deepEqual(
      refused.map(reason => reason instanceof TemplateQuotaReachedError),
      [true, true],
      String(refused),
    )
    const [first] = await store.ownedIds(owner)
    assert.ok(first)
    assert.equal(await store.countOwned(owner), 2)
    const replaced = await store.importBundle({ path: await makeBundle({ id: first, name: 'New' }), ...limits })
    assert.equal(replaced.isChanged, true)
    await store.remove({ id: first, ownerAccountId: owner })
    const back = await store.importBundle({ path: await makeBundle({ id: 'quota-5' }), ...limits })
    assert.equal(back.version, 1)
    const again = store.importBundle({ path: await makeBundle({ id: first, name: 'Again' }), ...limits })
    await assert.rejects(again, TemplateQuotaReachedError, 'a removed template that is imported again counts')
    assert.equal(await store.countOwned(owner), 2)
    nowMs += 61 * 60_000
    await store.prune()
    for (const id of ['quota-1', 'quota-2', 'quota-3', 'quota-4', 'quota-5']) {
      const isThere = (await store.get(id, owner)) !== null
      assert.equal((await objects.list(`templates/${id}/`)).length > 0, isThere, id)
    }
  })

  test('an owner never exceeds its storage quota; replaced and removed versions count for an hour', async () => {
    const owner = await makeAccount()
    const limits = { ownerAccountId: owner, ownedMax: 10 }
    const bundles = await Promise.all(
      ['One', 'Two', 'Six'].map(name => makeBundle({ id: `bytes-${use().database.kind}`, name })),
    )
    const [first = '', second = '', third = ''] = bundles
    const generous = openStore()
    await generous.importBundle({ path: first, ...limits })
    const sizeBytes = await measureOwnedTemplates(use().database.queries, owner)
    const stored = (await objects.list('')).filter(({ key }) => !/\/pack-[^/]*$/.test(key))
    assert.equal(
      sizeBytes,
      stored.reduce((sum, object) => sum + object.sizeBytes, 0),
    )
    const tight = openStore(2 * sizeBytes - 1)
    await assert.rejects(tight.importBundle({ path: second, ...limits }), TemplateStorageFullError)
    assert.equal(await measureOwnedTemplates(use().database.queries, owner), sizeBytes, 'a refused one leaves nothing')
    const exact = openStore(2 * sizeBytes)
    await exact.importBundle({ path: second, ...limits })
    await assert.rejects(exact.importBundle({ path: third, ...limits }), TemplateStorageFullError)
    nowMs += 61 * 60_000
    await exact.prune()
    await exact.importBundle({ path: third, ...limits })
    await exact.remove({ id: `bytes-${use().database.kind}`, ownerAccountId: owner })
    assert.equal(await measureOwnedTemplates(use().database.queries, owner), 2 * sizeBytes)
    nowMs += 61 * 60_000
    await exact.prune()
    assert.equal(await measureOwnedTemplates(use().database.queries, owner), 0)
  })

  test('an import leaves no files behind, and those of a killed one are removed after an hour', async () => {
    const store = openStore()
    await store.importBundle({ path: await makeBundle({ id: 'tidy' }), ownerAccountId: null })
    const imports = path.join(folder, `${use().database.kind}-${storeCount}`, 'imports')
    assert.deepEqual(await readdir(imports), [])
    for (const [name, ageMs] of [
      ['import-old', 61 * 60_000],
      ['import-new', 59 * 60_000],
    ] as const) {
      await mkdir(path.join(imports, name))
      const at = new Date(nowMs - ageMs)
      await utimes(path.join(imports, name), at, at)
    }
    await store.removeBrokenOff()
    assert.deepEqual(await readdir(imports), ['import-new'])
  })

  test('lists can show a template before its picture has loaded: size, a tiny picture, the frames’ outlines', async () => {
    const store = openStore()
    await store.importBundle({ path: await makeBundle({ id: 'look' }, ['thumbnail']), ownerAccountId: null })
    const look = (await store.get('look'))?.look
    assert.ok(look)
    const { widthPx: width, heightPx: height } = inspectArtwork(Buffer.from(look.tiny, 'base64'))
    assert.ok(width === 20 && Math.abs(height / width - look.heightPx / look.widthPx) < 0.05)
    const [[first] = []] = look.outlines
    assert.deepEqual(first, [0.0875, 0.1111], 'corner (10.5, 10) of 120 x 90 px')
  })

  test('of racing imports of one id, exactly one remains, complete', async () => {
    const store = openStore()
    const bundles = await Promise.all([1, 2, 3].map(n => makeBundle({ id: 'raced', name: `Number ${n}` })))
    const imports = await Promise.all(bundles.map(path => store.importBundle({ path, ownerAccountId: null })))
    assert.deepEqual(new Set(imports.map(({ version }) => version)), new Set([1, 2, 3]))
    const record = await store.get('raced')
    assert.ok(record)
    assert.equal(record.version, 3)
    const { folder: local } = await store.localBundle(record)
    const description: unknown = JSON.parse(await readFile(path.join(local, 'template.json'), 'utf8'))
    assert.ok(description && typeof description === 'object' && 'name' in description)
    assert.equal(description.name, record.name)
  })

  test('thumbnails are newly encoded JPEGs, made with the sample artwork if the bundle has none', async () => {
    const store = openStore()
    await store.importBundle({ path: await makeBundle({ id: 'own-thumbnail' }), ownerAccountId: null })
    await store.importBundle({ path: await makeBundle({ id: 'no-thumbnail' }, ['thumbnail']), ownerAccountId: null })
    for (const [id, widthPx] of [
      ['own-thumbnail', 40],
      ['no-thumbnail', 120], // as wide as the scene: it is not enlarged
    ] as const) {
      const record = await store.get(id)
      const thumbnail = record && (await store.openThumbnail(record.thumbnailPath))
      assert.ok(thumbnail)
      const bytes = await readAll(thumbnail)
      assert.equal(bytes.byteLength, thumbnail.sizeBytes)
      const facts = inspectArtwork(bytes)
      assert.deepEqual([facts.type, facts.widthPx], ['jpeg', widthPx])
    }
    for (const wrong of ['/thumbnails/', '/thumbnails/x.jpg', `/thumbnails/${'a'.repeat(32)}.jpg`, '/etc/passwd']) {
      assert.equal(await store.openThumbnail(wrong), null)
    }
  })

  test('lists are ordered by name, then id, filtered by all conditions, and divided into pages', async () => {
    const store = openStore()
    const accountId = await makeAccount()
    const wanted = [
      ['list-b', 'Zebra 100%', 'Wall Art', 'print'],
      ['list-a', 'Zebra 100%', 'wall art', 'product'],
      ['list-c', 'Ärmel_1', 'Kleidung', 'product'],
      ['list-d', 'Becher ΣΊΣΥΦΟΣ', 'Kleidung', 'product'],
    ] as const
    for (const [id, name, category, type] of wanted) {
      const surface = type === 'print' ? { surface_type: null } : {}
      await store.importBundle({
        path: await makeBundle({ id, name, category, type, ...surface }),
        ownerAccountId: accountId,
      })
    }
    const ids = async (query: Partial<TemplateQuery>): Promise<string[]> =>
      (await store.list(all(accountId, query))).templates.filter(isOurs).map(({ id }) => id)
    const isOurs = ({ id }: TemplateRecord): boolean => id.startsWith('list-')
    assert.deepEqual(await ids({}), ['list-d', 'list-a', 'list-b', 'list-c'])
    assert.deepEqual(await ids({ type: 'print' }), ['list-b'])
    assert.deepEqual(await ids({ category: 'WALL ART', type: 'product', search: 'zebra' }), ['list-a'])
    assert.deepEqual(await ids({ category: 'Wall' }), [])
    assert.deepEqual(await ids({ search: 'ÄRMEL' }), ['list-c'])
    assert.deepEqual(await ids({ search: 'σίσυφος' }), ['list-d'])
    assert.deepEqual(await ids({ search: '0%' }), ['list-a', 'list-b'])
    assert.deepEqual(await ids({ search: '%' }), ['list-a', 'list-b'])
    assert.deepEqual(await ids({ search: 'l_1' }), ['list-c'])
    assert.deepEqual(await ids({ search: 'Z_bra' }), [])
    assert.deepEqual(await ids({ words: '100% wall zebra' }), ['list-a', 'list-b'])
    assert.deepEqual(await ids({ words: '  list-c ' }), ['list-c'])
    assert.deepEqual(await ids({ words: 'σίσυφος KLEID' }), ['list-d'])
    assert.deepEqual(await ids({ words: 'zebra kleidung' }), [])
    assert.deepEqual(await ids({ words: 'zebra\0' }), [])
    for (const search of ['!', '\\', "'", '\0', '" or 1=1 --']) assert.deepEqual(await ids({ search }), [])
    const paged = await store.list(all(accountId, { search: 'e', limit: 1, page: 2, category: 'kleidung' }))
    assert.deepEqual([paged.templates.map(({ id }) => id), paged.total], [['list-c'], 2])
    const beyond = await store.list(all(accountId, { page: 1000 }))
    assert.deepEqual(beyond.templates, [])
    assert.ok(beyond.total >= 4)
    const { categories } = await store.list(all(accountId, { search: 'nothing has this name' }))
    assert.deepEqual(
      categories.filter(name => /kleidung|wall/i.test(name)),
      ['Kleidung', 'Wall Art', 'wall art'],
    )
  })
})

async function readAll(open: OpenObject): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of open.content) parts.push(part)
  return Buffer.concat(parts)
}
