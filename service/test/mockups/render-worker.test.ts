import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharpCodec } from '@vitrine/engine/node'
import { goodMapDescription, jsonBytes, png } from '../../../engine/test/bundles/make-bundle.ts'
import { GenerationError } from '../../src/mockups/generation-error.ts'
import type { JobArtwork, RenderJob } from '../../src/mockups/render-job.ts'
import { RenderPool } from '../../src/mockups/render-pool.ts'
import { renderProgramPaths, renderWorkerFile } from '../../src/mockups/worker-files.ts'
import { fromWorkerSchema, type ToWorker } from '../../src/mockups/worker-messages.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { type PrivateFolder, PrivateFolders } from '../../src/storage/private-folders.ts'
import { plainPicture, writeBundle } from './test-bundle.ts'

const codec = createSharpCodec()

const BUSY_MACHINE_MS = 600_000

describe('A render process', () => {
  let home = ''
  let bundles = ''
  let pool: RenderPool
  let folders: PrivateFolders
  let folder: PrivateFolder
  let fileCount = 0

  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'vitrine-worker-'))
    bundles = path.join(home, 'bundles')
    await writeBundle(bundles, 'poster')
    await writeBundle(bundles, 'triptych', 3)
    await mkdir(path.join(bundles, 'broken'))
    await writeFile(path.join(bundles, 'broken', 'template.json'), '{}')
    folders = await PrivateFolders.open(path.join(home, 'requests'))
    folder = await folders.create()
    pool = await RenderPool.start({
      workerFile: renderWorkerFile,
      readablePaths: renderProgramPaths,
      tempRoot: folders.root,
      processCount: 1,
      // No times are asserted here, so a busy machine may take as long as it needs.
      requestBudgetMs: BUSY_MACHINE_MS,
    })
  })

  after(async () => {
    await pool.close()
    await rm(home, { recursive: true, force: true })
  })

  async function artwork(bytes: Uint8Array, frame: number | null = null): Promise<JobArtwork> {
    fileCount += 1
    const file = folder.file(`artwork-${fileCount}`)
    await writeFile(file, bytes)
    return { frame, file, contentName: createHash('sha256').update(bytes).digest('hex') }
  }

  async function render(
    ids: readonly string[],
    artworks: readonly JobArtwork[],
    output: RenderJob['output'] = { format: 'png', quality: 85, widthPx: 200 },
    accountId = 'acc_a',
    by = pool,
  ) {
    const mockups = ids.map(id => {
      fileCount += 1
      return { bundle: { key: `${id}@1`, folder: path.join(bundles, id) }, toFile: folder.file(`mockup-${fileCount}`) }
    })
    const rendered = await by.render(
      { accountId, mockups, artworks, placements: { all: undefined, byFrame: [] }, colors: [], output },
      by.admit('account_a'),
    )
    const files = await Promise.all(mockups.map(mockup => readFile(mockup.toFile)))
    return rendered.map((mockup, index) => ({ ...mockup, bytes: files[index] ?? Buffer.alloc(0) }))
  }

  async function colorAt(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
    const { data, widthPx } = await codec.decodeLayer(bytes, 'rgb')
    return [...data.subarray((y * widthPx + x) * 3, (y * widthPx + x) * 3 + 3)]
  }

  it('draws the artwork into the scene', async () => {
    const [mockup] = await render(['poster'], [await artwork(await plainPicture(90, 90, [250, 10, 20]))])
    assert.ok(mockup !== undefined)
    assert.deepEqual([mockup.widthPx, mockup.heightPx, mockup.sizeBytes], [200, 250, mockup.bytes.length])
    assert.deepEqual(await colorAt(mockup.bytes, 100, 140), [250, 10, 20])
    assert.deepEqual(await colorAt(mockup.bytes, 5, 5), [120, 120, 120])
    assert.ok(mockup.durationMs > 0 && mockup.stages.length >= 4)
  })

  it('draws a frame that covers a scene four times as high as wide at the greatest width, within its memory limit', async () => {
    await mkdir(path.join(bundles, 'tall'))
    const corners = [
      [0, 0],
      [100, 0],
      [100, 400],
      [0, 400],
    ]
    const frames = [{ aspect_ratio: 0.25, corners }]
    const description = { ...goodMapDescription(), id: 'tall', render_mode: 'corners', frames }
    await writeFile(path.join(bundles, 'tall/template.json'), jsonBytes(description))
    await writeFile(path.join(bundles, 'tall/scene.png'), await png(100, 400))
    const output = { format: 'jpeg', quality: 85, widthPx: 4000 } as const
    const [mockup] = await render(['tall'], [await artwork(await plainPicture(100, 400, [250, 10, 20]))], output)
    assert.deepEqual([mockup?.widthPx, mockup?.heightPx], [4000, 16_000])
  })

  it('that is starved of processor time beyond a mockup’s limit is slow, and makes the same mockup', async () => {
    const processorMs = 4000
    await using slow = await RenderPool.start({
      workerFile: renderWorkerFile,
      readablePaths: renderProgramPaths,
      tempRoot: folders.root,
      processCount: 1,
      requestBudgetMs: BUSY_MACHINE_MS,
      mockupBounds: { processorMs, clockMs: BUSY_MACHINE_MS },
    })
    const output = { format: 'jpeg', quality: 85, widthPx: 4000 } as const
    const picture = await artwork(await plainPicture(90, 90, [250, 10, 20]))
    const rendering = render(['poster'], [picture], output, 'acc_a', slow)
    const { processIds } = slow.state
    const [pid = 0] = processIds
    process.kill(pid, 'SIGSTOP')
    assert.equal(slow.state.busyCount, 1)
    for (const endMs = performance.now() + 1.5 * processorMs; performance.now() < endMs; ) await sleep(100)
    process.kill(pid, 'SIGCONT')
    const [mockup] = await rendering
    assert.deepEqual(slow.state.processIds, processIds)
    const [usual] = await render(['poster'], [picture], output)
    assert.deepEqual(mockup?.bytes, usual?.bytes)
  })

  it('continues when its process group is signalled, since the service decides when it ends', async () => {
    const { processIds } = pool.state
    const rendering = render(['poster'], [await artwork(await plainPicture(90, 90, [1, 2, 3]))])
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(processIds[0] ?? 0, signal)
    assert.equal((await rendering).length, 1)
    assert.deepEqual(pool.state.processIds, processIds)
  })

  it('draws each frame’s own artwork, and one artwork in every frame', async () => {
    const red = await plainPicture(40, 40, [250, 0, 0])
    const blue = await plainPicture(40, 40, [0, 0, 250])
    const own = [await artwork(red, 0), await artwork(blue, 1), await artwork(red, 2)]
    const [mixed] = await render(['triptych'], own)
    assert.ok(mixed !== undefined)
    assert.deepEqual(await colorAt(mixed.bytes, 40, 80), [250, 0, 0])
    assert.deepEqual(await colorAt(mixed.bytes, 100, 80), [0, 0, 250])
    const [same] = await render(['triptych'], [await artwork(blue)])
    assert.deepEqual(await colorAt(same?.bytes ?? red, 160, 80), [0, 0, 250])
  })

  it('renders a batch with artworks for the frames that each template has', async () => {
    const blue = await plainPicture(40, 40, [0, 0, 250])
    const own = [await artwork(blue, 0), await artwork(blue, 1), await artwork(blue, 2)]
    assert.equal((await render(['poster', 'triptych', 'poster'], own)).length, 3)
  })

  it('returns the same bytes for the same job, whatever is cached', async () => {
    const picture = await artwork(await plainPicture(301, 203, [9, 99, 199], 'jpeg'))
    for (const format of ['jpeg', 'png'] as const) {
      const hashes = new Set<string>()
      for (const ids of [['poster'], ['poster'], ['triptych', 'poster'], ['poster', 'triptych']]) {
        const mockups = await render(ids, [picture], { format, quality: 85, widthPx: 333 })
        const mockup = mockups[ids.indexOf('poster')]
        hashes.add(
          createHash('sha256')
            .update(mockup?.bytes ?? '')
            .digest('hex'),
        )
      }
      assert.equal(hashes.size, 1)
    }
  })

  it('decodes another account’s artwork again for each account', async () => {
    const picture = await plainPicture(307, 211, [9, 99, 19], 'jpeg')
    const by: unknown[] = []
    for (const accountId of ['acc_a', 'acc_b', 'acc_b', 'acc_a']) {
      const [mockup] = await render(['poster'], [await artwork(picture)], undefined, accountId)
      by.push(mockup?.decodedBy)
    }
    assert.deepEqual(by, [['vitrine'], ['vitrine'], ['memory'], ['memory']])
  })

  it('draws each customer’s own artwork, although all use the same memory in turn', async () => {
    const colors = [
      [250, 0, 0],
      [0, 250, 0],
      [0, 0, 250],
    ] as const
    const pictures = await Promise.all(colors.map(color => plainPicture(900, 900, color, 'jpeg')))
    const seen = await Promise.all(
      pictures.map(async bytes => (await codec.decodeArtwork(bytes, null)).data.subarray(0, 3)),
    )
    const large = { format: 'png', quality: 85, widthPx: 900 } as const
    for (let round = 0; round < 9; round++) {
      const at = (round * round) % 3
      const own = await artwork(pictures[at] ?? Buffer.alloc(0))
      // Without the name, the hash is computed there.
      const [mockup] = await render(['poster'], [round < 5 ? own : { ...own, contentName: null }], large)
      const color = seen[at] ?? []
      for (const [x, y] of [
        [300, 500],
        [450, 630],
        [600, 700],
      ] as const)
        assert.deepEqual(await colorAt(mockup?.bytes ?? Buffer.alloc(0), x, y), [...color])
    }
  })

  it('reports the faulty artwork by its frame', async () => {
    const good = await plainPicture(40, 40, [0, 0, 250])
    const whole = await plainPicture(400, 400, [0, 9, 250], 'jpeg')
    const cut = whole.subarray(0, whole.length - 100)
    const cases: readonly (readonly [string, number | null, readonly JobArtwork[]])[] = [
      ['unsupported_type', null, [await artwork(Buffer.from('hello'))]],
      ['empty', 1, [await artwork(good, 0), await artwork(new Uint8Array(), 1), await artwork(good, 2)]],
      ['truncated', 2, [await artwork(good, 0), await artwork(good, 1), await artwork(cut, 2)]],
    ]
    for (const [reason, frame, artworks] of cases) {
      await assert.rejects(render(['triptych'], artworks), (error: unknown) => {
        assert.ok(error instanceof GenerationError && error.failure.kind === 'artwork-rejected', String(error))
        assert.deepEqual([error.failure.reason, error.failure.frame], [reason, frame])
        return true
      })
    }
  })

  it('does not blame the artwork for a broken template', async () => {
    const picture = await artwork(await plainPicture(9, 9, [0, 0, 0]))
    await assert.rejects(render(['broken'], [picture]), { kind: 'render-failed' })
    await assert.rejects(render(['absent'], [picture]), { kind: 'render-failed' })
  })

  it('receives a cancellation between two mockups of a batch, even if nothing else is asynchronous', async () => {
    // A prepared template and a JPEG: nothing involves sharp and its threads.
    const picture = await artwork(await plainPicture(64, 64, [0, 0, 0], 'jpeg'))
    const buildJob = (name: string, count: number): RenderJob => ({
      mockups: Array.from({ length: count }, (_, index) => ({
        bundle: { key: 'poster@1', folder: path.join(bundles, 'poster') },
        toFile: folder.file(`${name}-${index}`),
      })),
      accountId: 'acc_a',
      artworks: [picture],
      placements: { all: undefined, byFrame: [] },
      colors: [],
      output: { format: 'jpeg', quality: 85, widthPx: 400 },
    })
    const child = startSandbox({
      file: renderWorkerFile,
      readablePaths: [...renderProgramPaths, bundles],
      writablePaths: [folders.root],
      memoryMib: 1536,
    })
    const send = (...messages: readonly ToWorker[]): void => {
      for (const message of messages) child.send(message)
    }
    try {
      let rendered = 0
      const outcome = await new Promise<unknown>((resolve, reject) => {
        child.once('exit', code => reject(new Error(`The process ended with code ${code}`)))
        child.on('message', message => {
          const said = fromWorkerSchema.parse(message)
          if (said.kind === 'ready') send({ kind: 'render', jobId: 1, job: buildJob('first', 1) })
          else if (said.kind === 'mockup') rendered += said.jobId === 2 ? 1 : 0
          else if (said.jobId === 2) resolve(said.outcome)
          else send({ kind: 'render', jobId: 2, job: buildJob('cancelled', 12) }, { kind: 'cancel', jobId: 2 })
        })
      })
      assert.deepEqual(outcome, { kind: 'cancelled' })
      assert.ok(rendered < 12, `${rendered} rendered`)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('loads no native code once it has started, and writes no compiled code', async () => {
    const child = startSandbox({
      file: path.join(import.meta.dirname, 'taken-over-worker.ts'),
      readablePaths: [...renderProgramPaths, import.meta.dirname],
      writablePaths: [],
      memoryMib: 1536,
    })
    try {
      const said: unknown[] = []
      child.on('message', message => said.push(message))
      while (said.length < 2) await once(child, 'message')
      assert.deepEqual(said, [
        { kind: 'ready' },
        { load: 'ERR_ACCESS_DENIED', mayLoad: false, write: 'ERR_ACCESS_DENIED' },
      ])
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('overwrites existing mockup files, and follows no link there', async () => {
    await using other = await folders.create()
    const [half, linked, bystander] = [other.file('half'), other.file('linked'), other.file('bystander')]
    await writeFile(half, 'half a picture')
    await writeFile(bystander, 'of another job')
    await symlink(bystander, linked)
    const bundle = { key: 'poster@1', folder: path.join(bundles, 'poster') }
    await pool.render(
      {
        mockups: [half, linked].map(toFile => ({ bundle, toFile })),
        accountId: 'acc_a',
        artworks: [await artwork(await plainPicture(9, 9, [0, 0, 0]))],
        placements: { all: undefined, byFrame: [] },
        colors: [],
        output: { format: 'jpeg', quality: 85, widthPx: 50 },
      },
      pool.admit('account_a'),
    )
    assert.ok((await readFile(half)).equals(await readFile(linked)))
    for (const file of [half, linked]) {
      const stat = await lstat(file)
      assert.ok(stat.isFile(), file)
      assert.equal(stat.mode & 0o777, 0o600)
    }
    assert.equal(await readFile(bystander, 'utf8'), 'of another job')
  })

  it('leaves no file behind in its output folder except the mockups', async () => {
    await using other = await folders.create()
    const file = other.file('artwork')
    await writeFile(file, await plainPicture(9, 9, [0, 0, 0]))
    const bundle = { key: 'poster@1', folder: path.join(bundles, 'poster') }
    await pool.render(
      {
        mockups: [{ bundle, toFile: other.file('mockup-0') }],
        accountId: 'acc_a',
        artworks: [{ frame: null, file, contentName: null }],
        placements: { all: undefined, byFrame: [] },
        colors: [],
        output: { format: 'jpeg', quality: 85, widthPx: 50 },
      },
      pool.admit('account_a'),
    )
    assert.deepEqual((await readdir(other.path)).sort(), ['artwork', 'mockup-0'])
  })
})
