import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RenderWork } from '../../src/account-budget/unpaid-time.ts'
import { Accounts } from '../../src/accounts/accounts.ts'
import { ArtworkDownload } from '../../src/artwork-download/artwork-download.ts'
import { Wallet } from '../../src/credits/wallet.ts'
import { Idempotency, type SavedAnswer } from '../../src/idempotency/idempotency.ts'
import {
  type Generation,
  type GenerationRequest,
  MockupGenerator,
  type TemplateFinder,
} from '../../src/mockups/generate-mockups.ts'
import { GenerationError, type GenerationFailure } from '../../src/mockups/generation-error.ts'
import { RenderPool } from '../../src/mockups/render-pool.ts'
import type { ArtworkSource } from '../../src/mockups/request-artwork.ts'
import { renderProgramPaths, renderWorkerFile } from '../../src/mockups/worker-files.ts'
import { PrivateFolders } from '../../src/storage/private-folders.ts'
import type { TemplateRecord } from '../../src/templates/template-record.ts'
import { createTestDatabase, type TestDatabase } from '../servers/test-database.ts'
import { plainPicture, writeBundle } from './test-bundle.ts'

/** The templates in a folder, as an import would have left them there. */
class FolderTemplates implements TemplateFinder {
  readonly #folder: string
  readonly #frameCounts: ReadonlyMap<string, number>

  constructor(folder: string, frameCounts: ReadonlyMap<string, number>) {
    this.#folder = folder
    this.#frameCounts = frameCounts
  }

  async find(ids: readonly string[]): Promise<ReadonlyMap<string, TemplateRecord>> {
    const known = ids.flatMap(id => {
      const frameCount = this.#frameCounts.get(id)
      return frameCount === undefined ? [] : [templateRecord(id, frameCount)]
    })
    return new Map(known.map(template => [template.id, template]))
  }

  async localBundle({ id }: TemplateRecord) {
    return { key: `${id}@1`, folder: path.join(this.#folder, id) }
  }

  async replaceBroken(): Promise<boolean> {
    return false
  }
}

function templateRecord(id: string, frameCount: number): TemplateRecord {
  return {
    id,
    version: 1,
    ownerAccountId: null,
    name: id,
    category: 'Test',
    type: 'print',
    surfaceType: null,
    renderMode: 'corners',
    blendMode: 'normal',
    aspectRatios: Array.from({ length: frameCount }, () => 1),
    slots: [],
    colors: [],
    thumbnailPath: '/thumbnail.jpg',
    revision: 'a',
    objectPrefix: `templates/${id}/`,
    files: [],
    digest: '',
    importedAtMs: 0,
    look: null,
    sharesBundle: false,
  }
}

/** A wallet that reports settlements, and whose releases can be made to fail. */
class ObservedWallet extends Wallet {
  onSettled: () => void = () => undefined
  isAway = false

  override async release(...parameters: Parameters<Wallet['release']>): ReturnType<Wallet['release']> {
    if (this.isAway) throw new Error('the database is away')
    return super.release(...parameters)
  }

  override async settle(...parameters: Parameters<Wallet['settle']>): ReturnType<Wallet['settle']> {
    const settlement = await super.settle(...parameters)
    this.onSettled()
    return settlement
  }
}

function assertFailure(error: unknown, expected: GenerationFailure): void {
  assert.ok(error instanceof GenerationError, String(error))
  assert.deepEqual(error.failure, expected)
}

describe('A generation', () => {
  let home = ''
  let database: TestDatabase
  let wallet: ObservedWallet
  let accounts: Accounts
  let pool: RenderPool
  let folders: PrivateFolders
  let generator: MockupGenerator
  let picture: Uint8Array
  let originUrl = ''
  let requestCount = 0
  let calls: string[] = []
  const failures: unknown[] = []
  /** Unpaid processor time, by account. */
  const unpaidMs = new Map<string, number>()
  const bodies = new Map<string, string>()

  const origin = createServer((request: IncomingMessage, response: ServerResponse) => {
    calls.push(request.url ?? '')
    if (request.url?.startsWith('/missing')) response.writeHead(404).end()
    else if (request.url?.startsWith('/stall')) response.write('x')
    else if (request.url?.startsWith('/text')) response.end('no picture')
    else response.end(picture)
  })

  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'vitrine-generate-'))
    const bundles = path.join(home, 'bundles')
    await writeBundle(bundles, 'poster')
    await writeBundle(bundles, 'triptych', 3)
    picture = await plainPicture(60, 60, [200, 30, 30])
    origin.listen(0, '127.0.0.1')
    await once(origin, 'listening')
    const address = origin.address()
    assert.ok(address !== null && typeof address === 'object')
    originUrl = `http://127.0.0.1:${address.port}`
    database = await createTestDatabase('sqlite')
    const instanceId = 'ins_test'
    wallet = new ObservedWallet(database.database, { instanceId })
    accounts = new Accounts(database.database)
    folders = await PrivateFolders.open(path.join(home, 'requests'))
    pool = await RenderPool.start({
      workerFile: renderWorkerFile,
      readablePaths: renderProgramPaths,
      tempRoot: (await PrivateFolders.open(path.join(home, 'processes'))).root,
      processCount: 1,
    })
    generator = new MockupGenerator({
      templates: new FolderTemplates(
        bundles,
        new Map([
          ['poster', 1],
          ['triptych', 3],
          ['absent-files', 1],
        ]),
      ),
      wallet,
      idempotency: new Idempotency(database.database, {
        bodies: { delete: async key => void bodies.delete(key) },
        instanceId,
      }),
      download: new ArtworkDownload({ allowedPrivateHosts: ['127.0.0.1'], deadlineMs: 5000 }),
      pool,
      onCleanUpFailed: error => failures.push(error),
    })
  })

  after(async () => {
    origin.closeAllConnections()
    origin.close()
    await pool.close()
    await database.remove()
    await rm(home, { recursive: true, force: true })
  })

  const byUrl = (target: string): ArtworkSource => ({ kind: 'url', url: new URL(target, originUrl) })

  async function account(credits: number): Promise<string> {
    requestCount += 1
    return (await accounts.create({ email: `customer-${requestCount}@example.com`, credits })).accountId
  }

  async function generate(
    accountId: string,
    request: Partial<GenerationRequest>,
    signal: AbortSignal = new AbortController().signal,
  ) {
    requestCount += 1
    calls = []
    const credits: { consumed: number; refunded: number }[] = []
    await using folder = await folders.create()
    using permit = pool.admit('account_a')
    const run = async () => {
      const result = await generator.generate(
        {
          accountId,
          keyId: null,
          requestId: `req_${requestCount}`,
          templateIds: ['poster'],
          artwork: { kind: 'one', source: byUrl('/art') },
          placements: { all: undefined, byFrame: [] },
          colors: [],
          output: { format: 'png', quality: 85, widthPx: 100 },
          folder,
          startedAtMs: performance.now(),
          permit,
          work: new RenderWork(ms => unpaidMs.set(accountId, (unpaidMs.get(accountId) ?? 0) + ms)),
          ...request,
        },
        signal,
        change => credits.push(change),
      )
      if (result.kind === 'replay') return { ...result, credits }
      const files = await Promise.all(result.mockups.map(mockup => readFile(mockup.file)))
      return { ...result, files, credits }
    }
    return { result: await Promise.allSettled([run()]).then(([only]) => only), credits }
  }

  async function succeed(...parameters: Parameters<typeof generate>): Promise<Generation & { files: Buffer[] }> {
    const { result } = await generate(...parameters)
    if (result.status === 'rejected') throw result.reason
    assert.ok(result.value.kind === 'generated')
    return result.value
  }

  async function fail(...parameters: Parameters<typeof generate>): Promise<{ error: unknown; credits: unknown[] }> {
    const { result, credits } = await generate(...parameters)
    assert.ok(result.status === 'rejected')
    return { error: result.reason, credits }
  }

  async function assertUntouched(accountId: string, spendable: number): Promise<void> {
    const balance = await wallet.balance(accountId)
    assert.deepEqual([balance.spendableCredits, balance.reservedCredits, balance.consumedCredits], [spendable, 0, 0])
    const { violations } = await wallet.verifyLedger()
    assert.deepEqual(violations, [])
    assert.deepEqual(await readdir(folders.root), [])
    assert.equal(pool.state.admittedCount, 0)
    assert.deepEqual(failures, [])
  }

  it('charges one credit for each template, in the order of the request, and fetches an artwork once', async () => {
    const accountId = await account(10)
    const { mockups, files, creditsUsed, spendableCredits, durationMs } = await succeed(accountId, {
      templateIds: ['triptych', 'poster', 'triptych'],
    })
    assert.deepEqual(
      mockups.map(mockup => mockup.templateId),
      ['triptych', 'poster', 'triptych'],
    )
    assert.deepEqual([creditsUsed, spendableCredits], [3, 7])
    assert.deepEqual(files[0], files[2])
    assert.notDeepEqual(files[0], files[1])
    assert.ok(Number.isInteger(durationMs) && durationMs > 0)
    assert.deepEqual(calls, ['/art'])
    assert.equal((await wallet.balance(accountId)).consumedCredits, 3)
    assert.deepEqual(await readdir(folders.root), [])
  })

  it('fetches a URL once even if two frames have it, and several concurrently', async () => {
    const accountId = await account(1)
    const sources = new Map([
      ['0', byUrl('/a#x')],
      ['1', byUrl('/b')],
      ['2', byUrl('/a#y')],
    ])
    await succeed(accountId, { templateIds: ['triptych'], artwork: { kind: 'by-frame', sources } })
    assert.deepEqual(calls.toSorted(), ['/a', '/b'])
  })

  it('treats an uploaded file like a fetched one', async () => {
    const accountId = await account(2)
    const file = path.join(folders.root, `request-${process.pid}-upload`)
    await writeFile(file, picture)
    const uploaded = await succeed(accountId, {
      artwork: { kind: 'one', source: { kind: 'file', file, contentName: 'red', sha256: null } },
    })
    await rm(file)
    const fetched = await succeed(accountId, {})
    assert.deepEqual(uploaded.files, fetched.files)
  })

  it('reports every template that does not exist, before anything else', async () => {
    const accountId = await account(0)
    const { error, credits } = await fail(accountId, { templateIds: ['x', 'poster', 'y', 'x'] })
    assertFailure(error, { kind: 'templates-not-found', missingTemplateIds: ['x', 'y'] })
    assert.deepEqual([credits, calls], [[], []])
  })

  it('checks that every frame has artwork before it checks credits', async () => {
    const accountId = await account(0)
    const only = { kind: 'by-frame' as const, sources: new Map([['0', byUrl('/art')]]) }
    const missingFrames = [{ templateId: 'triptych', frames: [1, 2] }]
    const { error: missing } = await fail(accountId, { templateIds: ['triptych'], artwork: only })
    assertFailure(missing, { kind: 'frames-without-artwork', missingFrames })
    const strange = { kind: 'by-frame' as const, sources: new Map([['9', byUrl('/art')]]) }
    const { error: unknown } = await fail(accountId, { artwork: strange })
    assertFailure(unknown, { kind: 'unknown-frames', what: 'artwork', keys: ['9'], frameCount: 1, slots: [] })
  })

  it('fetches nothing if there are too few credits', async () => {
    const accountId = await account(2)
    const { error } = await fail(accountId, { templateIds: ['poster', 'poster', 'poster'] })
    assertFailure(error, { kind: 'insufficient-credits', requiredCredits: 3, spendableCredits: 2 })
    assert.deepEqual(calls, [])
    await assertUntouched(accountId, 2)
  })

  it('gives the credits back when an artwork can’t be fetched, says which, and does not wait for the others', async () => {
    const accountId = await account(5)
    const sources = new Map([
      ['0', byUrl('/stall')],
      ['1', byUrl('/art')],
      ['2', byUrl('/missing')],
    ])
    const { error, credits } = await fail(accountId, {
      templateIds: ['triptych'],
      artwork: { kind: 'by-frame', sources },
    })
    const fault = { kind: 'not-found', status: 404 } as const
    assertFailure(error, { kind: 'artwork-not-fetched', fault, frame: 2 })
    assert.deepEqual(credits, [{ consumed: 0, refunded: 1 }])
    await assertUntouched(accountId, 5)
  })

  it('gives all credits of a batch back when its artwork is no picture', async () => {
    const accountId = await account(5)
    const { error } = await fail(accountId, {
      templateIds: ['poster', 'triptych'],
      artwork: { kind: 'one', source: byUrl('/text') },
    })
    assert.ok(error instanceof GenerationError && error.failure.kind === 'artwork-rejected')
    assert.deepEqual([error.failure.reason, error.failure.frame], ['unsupported_type', null])
    await assertUntouched(accountId, 5)
  })

  it('gives all credits of a batch back when one of its templates can’t be rendered', async () => {
    const accountId = await account(5)
    const { error, credits } = await fail(accountId, { templateIds: ['poster', 'absent-files'] })
    assertFailure(error, { kind: 'render-failed' })
    assert.deepEqual(credits, [{ consumed: 0, refunded: 2 }])
    await assertUntouched(accountId, 5)
  })

  it('gives the credit back when its render process is killed, and the next one succeeds', async () => {
    const accountId = await account(2)
    const many = Array.from({ length: 12 }, () => 'poster')
    const rich = await account(12)
    const failing = fail(rich, { templateIds: many, output: { format: 'png', quality: 85, widthPx: 4000 } })
    while (pool.state.busyCount === 0) await sleep(2)
    process.kill(pool.state.processIds[0] ?? 0, 'SIGKILL')
    const { error } = await failing
    assertFailure(error, { kind: 'render-failed' })
    await assertUntouched(rich, 12)
    await succeed(accountId, {})
  })

  it('gives the credits back when the client leaves while its artwork arrives, or during the render', async () => {
    const accountId = await account(20)
    const controller = new AbortController()
    const fetching = fail(accountId, { artwork: { kind: 'one', source: byUrl('/stall') } }, controller.signal)
    while (calls.length === 0) await sleep(2)
    controller.abort(new Error('gone away'))
    assert.match(String((await fetching).error), /gone away/)
    await assertUntouched(accountId, 20)

    const later = new AbortController()
    const templateIds = Array.from({ length: 12 }, () => 'poster')
    const output = { format: 'png' as const, quality: 85, widthPx: 3999 }
    const rendering = fail(accountId, { templateIds, output }, later.signal)
    while (pool.state.busyCount === 0) await sleep(2)
    later.abort(new Error('gone away'))
    assert.match(String((await rendering).error), /gone away/)
    await assertUntouched(accountId, 20)
  })

  it('gives the credit back when the client leaves during the settlement', async () => {
    const accountId = await account(1)
    const controller = new AbortController()
    wallet.onSettled = () => controller.abort(new Error('gone away'))
    assert.match(String((await fail(accountId, {}, controller.signal)).error), /gone away/)
    wallet.onSettled = () => undefined
    await assertUntouched(accountId, 1)
  })

  it('retries giving back credits after a database outage, including a charge whose commit was not confirmed', async () => {
    const accountId = await account(5)
    wallet.isAway = true
    const missing = { kind: 'one', source: byUrl('/missing') } as const
    const { result: refused } = await generate(accountId, { artwork: missing })
    assert.ok(
      refused.status === 'rejected' && refused.reason instanceof GenerationError,
      'the answer is about the artwork',
    )
    wallet.onSettled = () => {
      throw new Error('the answer to the commit was lost')
    }
    const { result: lost } = await generate(accountId, {})
    wallet.onSettled = () => undefined
    assert.ok(lost.status === 'rejected')
    assert.equal(failures.splice(0).length, 2)
    const states = async () => {
      const { spendableCredits, reservedCredits } = await wallet.balance(accountId)
      return [spendableCredits, reservedCredits]
    }
    assert.deepEqual(await states(), [3, 1])
    await assert.rejects(generator.cleanUpAgain(), /the database is away/)
    assert.deepEqual(await states(), [3, 1])
    wallet.isAway = false
    for (const _ of [1, 2]) {
      await generator.cleanUpAgain()
      assert.deepEqual(await states(), [5, 0])
    }
  })

  it('never spends more than there is, however many concurrent requests there are', async () => {
    const accountId = await account(5)
    const results = await Promise.all(Array.from({ length: 12 }, () => generate(accountId, {})))
    assert.equal(results.filter(({ result }) => result.status === 'fulfilled').length, 5)
    for (const { result } of results) {
      if (result.status === 'rejected')
        assertFailure(result.reason, { kind: 'insufficient-credits', requiredCredits: 1, spendableCredits: 0 })
    }
    assert.equal((await wallet.balance(accountId)).spendableCredits, 0)
  })

  function save(key: string, requestHash: string) {
    return {
      key,
      requestHash,
      store: async (): Promise<SavedAnswer> => {
        bodies.set(`body-${key}`, 'the answer')
        return { bodyObjectKey: `body-${key}`, sizeBytes: 10, answer: '{}', linkId: null }
      },
      discard: async (saved: SavedAnswer) => void bodies.delete(saved.bodyObjectKey),
    }
  }

  it('is charged once for an idempotency key, and replayed only for the same request', async () => {
    const accountId = await account(3)
    await succeed(accountId, { save: save('one', 'same') })
    const again = await generate(accountId, {
      save: save('one', 'same'),
      artwork: { kind: 'one', source: byUrl('/missing') },
    })
    assert.ok(again.result.status === 'fulfilled' && again.result.value.kind === 'replay')
    assert.equal(again.result.value.saved.bodyObjectKey, 'body-one')
    assert.deepEqual(calls, [])
    const other = await fail(accountId, { save: save('one', 'another') })
    assertFailure(other.error, { kind: 'idempotency-mismatch' })
    assert.equal((await wallet.balance(accountId)).spendableCredits, 2)
  })

  it('frees the idempotency key when it fails, and stores nothing', async () => {
    const accountId = await account(1)
    const missing = { kind: 'one' as const, source: byUrl('/missing') }
    await fail(accountId, { save: save('two', 'same'), artwork: missing })
    assert.equal(bodies.has('body-two'), false)
    await succeed(accountId, { save: save('two', 'same') })
    assert.equal(bodies.has('body-two'), true)
  })

  it('refuses a second request with the key of one in progress', async () => {
    const accountId = await account(2)
    const controller = new AbortController()
    const stalling = { kind: 'one' as const, source: byUrl('/stall') }
    const first = fail(accountId, { save: save('three', 'same'), artwork: stalling }, controller.signal)
    while (calls.length === 0) await sleep(2)
    const second = await fail(accountId, { save: save('three', 'same'), artwork: stalling })
    assertFailure(second.error, { kind: 'idempotency-conflict' })
    controller.abort(new Error('gone away'))
    await first
    await assertUntouched(accountId, 2)
  })

  it('charges and stores nothing if its idempotency key was lost meanwhile', async () => {
    const accountId = await account(2)
    const saved = save('four', 'same')
    const store = async () => {
      await database.database.queries.deleteFrom('idempotency_keys').where('idempotency_key', '=', 'four').execute()
      return saved.store()
    }
    const { error } = await fail(accountId, { save: { ...saved, store } })
    assertFailure(error, { kind: 'idempotency-conflict' })
    assert.equal(bodies.has('body-four'), false)
    await assertUntouched(accountId, 2)
  })
})
