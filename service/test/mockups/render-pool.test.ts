import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GenerationError } from '../../src/mockups/generation-error.ts'
import { mockupBounds, PROCESS_BUNDLES_MAX_COUNT } from '../../src/mockups/limits.ts'
import type { RenderJob } from '../../src/mockups/render-job.ts'
import { RenderPool, type RenderPoolOptions } from '../../src/mockups/render-pool.ts'
import { NotBegunError, RenderProcess } from '../../src/mockups/render-process.ts'
import { BackgroundWork } from '../../src/sandbox/background-work.ts'
import { PrivateFolders } from '../../src/storage/private-folders.ts'

const repository = path.resolve(import.meta.dirname, '../../..')
const KILL_COUNT = process.env['VITRINE_TEST_SIZE'] === 'full' ? 100 : 5
const tempRoot = path.join(tmpdir(), `vitrine-pool-test-${process.pid}`)
/** The input and output of every scripted job. */
const bundleFolder = path.join(tempRoot, 'bundle')
before(async () => {
  await mkdir(bundleFolder, { recursive: true })
  await writeFile(path.join(bundleFolder, 'scene.txt'), 'scene')
})
after(() => rm(tempRoot, { recursive: true, force: true }))

async function startPool(
  options: Partial<RenderPoolOptions> = {},
): Promise<{ pool: RenderPool; folders: PrivateFolders }> {
  const folders = await PrivateFolders.open(tempRoot)
  const pool = await RenderPool.start({
    workerFile: path.join(import.meta.dirname, 'scripted-worker.ts'),
    readablePaths: [repository],
    tempRoot: folders.root,
    processCount: 1,
    ...options,
  })
  return { pool, folders }
}

function job(...names: readonly string[]): RenderJob {
  return {
    mockups: names.map(name => ({
      bundle: { key: `${name}@1`, folder: bundleFolder },
      toFile: path.join(tempRoot, `picture-${randomUUID()}`),
    })),
    accountId: 'acc_a',
    artworks: [],
    placements: { all: undefined, byFrame: [] },
    colors: [],
    output: { format: 'jpeg', quality: 85, widthPx: 100 },
  }
}

/** A process with its own jobs, without a pool. */
async function startProcess(): Promise<RenderProcess> {
  const { root } = await PrivateFolders.open(tempRoot)
  const process = new RenderProcess(
    {
      workerFile: path.join(import.meta.dirname, 'scripted-worker.ts'),
      readablePaths: [repository],
      tempRoot: root,
      memoryMib: 1536,
      mockupBounds,
    },
    () => undefined,
  )
  assert.ok(await process.ready)
  return process
}

function submit(pool: RenderPool, name: string, accountId = 'account_a', signal?: AbortSignal) {
  return pool.render(job(name), pool.admit(accountId), signal)
}

async function until(isTrue: () => boolean, timeoutMs = 10_000): Promise<void> {
  const startedAtMs = performance.now()
  while (!isTrue()) {
    assert.ok(performance.now() - startedAtMs < timeoutMs, 'waited without a result')
    await sleep(5)
  }
}

describe('A render process', () => {
  it('runs one job at a time, and holds one that it has not begun', async () => {
    const process = await startProcess()
    const order: string[] = []
    const begins = (name: string) => ({ onBegin: () => void order.push(`${name} begins`) })
    const first = process.run(job('sleep-100'), begins('first')).then(() => order.push('first ends'))
    assert.deepEqual([process.isIdle, process.mayTakeAhead, order], [false, true, ['first begins']])
    const second = process.run(job('a'), begins('second')).then(() => order.push('second ends'))
    assert.equal(process.mayTakeAhead, false)
    await assert.rejects(process.run(job('b')), /not free/)
    await Promise.all([first, second])
    assert.deepEqual(order.toSorted(), ['first begins', 'first ends', 'second begins', 'second ends'])
    assert.equal(order.at(-1), 'second ends')
    process.kill('the test is over')
    await process.exited
  })

  it('that exits by itself reports which job it was working on', async () => {
    const process = await startProcess()
    const first = process.run(job('a'))
    const second = process.run(job('crash'))
    assert.equal((await first).length, 1)
    await assert.rejects(second, { kind: 'render-failed' })
    await process.exited
  })

  it('that dies returns the job that it had not begun', async () => {
    const process = await startProcess()
    const first = process.run(job('crash'))
    const second = process.run(job('a'), { onBegin: () => assert.fail('begun') })
    await assert.rejects(first, { kind: 'render-failed' })
    await assert.rejects(second, NotBegunError)
    await process.exited
  })
})

describe('A pool of render processes', () => {
  it('pauses background work from the admission to the picture, or to the end of a request without one', async () => {
    using background = new BackgroundWork({ coreCount: 2 })
    const { pool } = await startPool({ background })
    const isHeld = async () => (await Promise.race([background.idle().then(() => 'idle'), sleep(1, 'held')])) === 'held'
    const permit = pool.admit('account_a')
    assert.ok(await isHeld())
    const rendered = pool.render(job('sleep-300'), permit)
    await until(() => permit.isReleased)
    assert.ok(await isHeld(), 'the job has begun')
    await rendered
    await background.idle()
    pool.admit('account_a').release()
    await background.idle()
    await assert.rejects(submit(pool, 'reject'), GenerationError)
    await background.idle()
    await pool.close()
  })

  it('renders every mockup of a job', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const mockups = await pool.render(job('a', 'b', 'c'), pool.admit('account_a'))
    assert.equal(mockups.length, 3)
    assert.equal(pool.state.admittedCount, 0)
  })

  it('replaces a process after its number of jobs without losing a job, while others wait', async () => {
    const { pool } = await startPool({ recycleJobCount: 100 })
    await using _ = pool
    const [first] = pool.state.processIds
    // More than a process does in its life, always with some waiting; the last ones run in a new process.
    let left = 220
    const client = async (_: unknown, index: number) => {
      while (left-- > 0) assert.equal((await submit(pool, 'sleep-3', `account_${index}`)).length, 1)
    }
    await Promise.all(Array.from({ length: 4 }, client))
    await until(() => !pool.state.processIds.includes(first ?? 0))
  })

  it('sends a process its next job during a short one; if it is killed, only the current job is lost', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const name = 'sleep-300'
    await submit(pool, name) // reports that it took 1 ms
    const [first = 0] = pool.state.processIds
    const victim = submit(pool, name)
    const next = submit(pool, name, 'account_b')
    const last = submit(pool, name, 'account_c')
    assert.equal(pool.state.busyCount, 1)
    assert.equal(pool.state.waitingJobCount, 2)
    process.kill(first, 'SIGKILL')
    await assert.rejects(victim, { kind: 'render-failed' })
    assert.equal((await next).length, 1)
    assert.equal((await last).length, 1)
    assert.equal(pool.state.waitingJobCount, 0)
    assert.equal(pool.state.admittedCount, 0)
  })

  it('cancels a job that was sent ahead without affecting the one before it', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const name = 'sleep-300'
    await submit(pool, name)
    const processIds = pool.state.processIds
    const running = submit(pool, name)
    const gone = new AbortController()
    const dropped = submit(pool, name, 'account_b', gone.signal)
    assert.equal(pool.state.waitingJobCount, 1)
    gone.abort(new Error('the client left'))
    await assert.rejects(dropped, /the client left/)
    assert.equal((await running).length, 1)
    assert.equal((await submit(pool, name)).length, 1)
    assert.deepEqual(pool.state.processIds, processIds)
  })

  it('moves a job that was sent ahead to another process if the one before it does not end', async () => {
    const { pool } = await startPool({ mockupBounds: { ...mockupBounds, processorMs: 700 } })
    await using _ = pool
    // Each took 1 ms, so mockups of a new kind are soon expected to be as short.
    for (let i = 0; i < 15; i++) await submit(pool, `short-${i}`)
    const stuck = submit(pool, 'spin')
    const next = submit(pool, 'b', 'account_b')
    await assert.rejects(stuck, /no mockup within 700 ms of processor time/)
    assert.equal((await next).length, 1)
  })

  it('loses only one job when a process is killed during it, and has a new process within a second', async () => {
    const lost: string[] = []
    const { pool } = await startPool({ processCount: 2, onProcessLost: reason => lost.push(reason) })
    await using _ = pool
    const [first = 0, second = 0] = pool.state.processIds
    const victims = [submit(pool, 'sleep-700'), submit(pool, 'sleep-700')]
    await until(() => pool.state.busyCount === 2)
    process.kill(first, 'SIGKILL')
    const results = await Promise.allSettled(victims)
    const failures = results.filter(result => result.status === 'rejected')
    assert.equal(failures.length, 1)
    assert.ok(failures[0]?.reason instanceof GenerationError && failures[0].reason.kind === 'render-failed')
    assert.match(lost[0] ?? '', /SIGKILL/)
    const killedAtMs = performance.now()
    await until(() => pool.state.readyCount === 2)
    // The goal is a second on an idle machine; a busy one gets more.
    assert.ok(performance.now() - killedAtMs < 5000)
    assert.ok(pool.state.processIds.includes(second))
    await submit(pool, 'sleep-1')
  })

  it(`does so ${KILL_COUNT} times in a row`, async () => {
    const { pool } = await startPool()
    await using _ = pool
    for (let round = 0; round < KILL_COUNT; round += 1) {
      const victim = submit(pool, 'sleep-20000')
      await until(() => pool.state.busyCount === 1)
      process.kill(pool.state.processIds[0] ?? 0, 'SIGKILL')
      await assert.rejects(victim, { kind: 'render-failed' })
      await submit(pool, 'sleep-1')
    }
    assert.equal(pool.state.processCount, 1)
  })

  it('has the same priority as the service, so that other programs do not take every core', async () => {
    const { pool } = await startPool()
    await using _ = pool
    assert.equal(getPriority(pool.state.processIds[0] ?? 0), getPriority())
  })

  for (const name of ['crash', 'exit', 'hoard', 'babble']) {
    it(`fails a job whose process ends by "${name}", and renders the next`, async () => {
      const { pool } = await startPool({ memoryMib: 700 })
      await using _ = pool
      await assert.rejects(submit(pool, name), { kind: 'render-failed' })
      assert.equal((await submit(pool, 'sleep-1')).length, 1)
    })
  }

  it('kills a process whose job never ends, at the deadline, and releases its permit', async () => {
    const { pool } = await startPool({ mockupBounds: { ...mockupBounds, processorMs: 300 } })
    await using _ = pool
    const [spinning] = pool.state.processIds
    await assert.rejects(submit(pool, 'spin'), { kind: 'render-failed' })
    await submit(pool, 'sleep-1')
    assert.ok(!pool.state.processIds.includes(spinning ?? 0))
  })

  it('kills a process that is stuck waiting, by wall-clock time, long after the processor-time limit', async () => {
    const { pool } = await startPool({ mockupBounds: { ...mockupBounds, clockMs: 400 } })
    await using _ = pool
    await assert.rejects(submit(pool, 'sleep-3600000'), /no mockup within 400 ms$/)
    await submit(pool, 'sleep-1')
  })

  it('splits a batch among idle processes, in request order, and cancels every part when one fails', async () => {
    const { pool } = await startPool({ processCount: 2 })
    await using _ = pool
    const batch = await pool.render(job('sleep-3', 'sleep-1', 'sleep-3', 'sleep-1'), pool.admit('account_a'))
    const names = batch.map(mockup => mockup.stages[0]?.name)
    assert.deepEqual([names[0] === names[2], names[1] === names[3], names[0] === names[1]], [true, true, false])
    await assert.rejects(pool.render(job('reject', 'sleep-20000'), pool.admit('account_a')), {
      kind: 'artwork-rejected',
    })
    await until(() => pool.state.busyCount === 0)
    await submit(pool, 'sleep-1')
    assert.equal(pool.state.admittedCount, 0)
  })

  it('distinguishes artwork faults from its own', async () => {
    const { pool } = await startPool()
    await using _ = pool
    await assert.rejects(submit(pool, 'reject'), (error: unknown) => {
      assert.ok(error instanceof GenerationError && error.failure.kind === 'artwork-rejected')
      assert.deepEqual([error.failure.reason, error.failure.frame], ['corrupt', 2])
      return true
    })
  })

  it('gives a render process only its job’s files, and no socket, program or secret', async () => {
    process.env['VITRINE_TEST_SECRET'] = 'hidden'
    const { pool, folders } = await startPool()
    await using _ = pool
    await mkdir(path.join(tempRoot, 'victim'))
    await writeFile(path.join(tempRoot, 'victim/artwork'), 'private')
    await submit(pool, 'a')
    await using folder = await folders.create()
    const toFile = folder.file('stolen')
    const file = folder.file('artwork')
    await writeFile(file, 'own')
    const stealing: RenderJob = {
      ...job('steal'),
      mockups: [{ bundle: { key: 'steal@1', folder: bundleFolder }, toFile }],
      accountId: 'acc_a',
      artworks: [{ file, frame: null, contentName: null }],
    }
    await pool.render(stealing, pool.admit('account_a'))
    assert.deepEqual(JSON.parse(await readFile(toFile, 'utf8')), {
      ownFiles: ['artwork-2-0', 'bundle-0', 'bundle-0/scene.txt', 'out'],
      listRequests: 'ERR_ACCESS_DENIED',
      readArtworkOfAnother: 'ERR_ACCESS_DENIED',
      changeBundle: 'ERR_ACCESS_DENIED',
      linkBundle: 'ERR_ACCESS_DENIED',
      moveBundle: 'ERR_ACCESS_DENIED',
      linkElsewhere: 'ERR_ACCESS_DENIED',
      readSystem: 'ERR_ACCESS_DENIED',
      writeProgram: 'ERR_ACCESS_DENIED',
      spawn: 'ERR_ACCESS_DENIED',
      connect: 'ERR_ACCESS_DENIED',
      environment: [
        'GLIBC_TUNABLES',
        'MALLOC_ARENA_MAX',
        'MALLOC_MMAP_THRESHOLD_',
        'MALLOC_TRIM_THRESHOLD_',
        'NODE_COMPILE_CACHE',
        'UV_THREADPOOL_SIZE',
      ],
    })
    assert.equal(await readFile(file, 'utf8'), 'own')
  })

  it('leaves no files of finished jobs in a process’s folder, and removes the folder with the process', async () => {
    const { pool } = await startPool()
    const own = async () => (await readdir(tempRoot)).filter(name => name.startsWith(`process-${process.pid}-`))
    {
      await using _ = pool
      await submit(pool, 'a')
      await assert.rejects(submit(pool, 'reject'))
      const [folder = '', ...others] = await own()
      assert.deepEqual(others, [])
      assert.deepEqual((await readdir(path.join(tempRoot, folder))).sort(), ['bundle-0', 'out'])
      assert.deepEqual(await readdir(path.join(tempRoot, folder, 'out')), [])
    }
    assert.deepEqual(await own(), [])
  })

  it('links a limited number of bundles in a process’s folder, including the last used', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const folders = Array.from({ length: PROCESS_BUNDLES_MAX_COUNT + 1 }, (_, at) => path.join(tempRoot, `many-${at}`))
    for (const folder of folders) await mkdir(folder)
    const [first = '', ...rest] = folders
    const use = async (folder: string) => {
      const [mockup] = job('a').mockups
      assert.ok(mockup !== undefined)
      const own = { ...mockup, bundle: { key: 'a@1', folder } }
      await pool.render({ ...job(), mockups: [own] }, pool.admit('account_a'))
    }
    const linked = async () => {
      const [name = ''] = (await readdir(tempRoot)).filter(each => each.startsWith(`process-${process.pid}-`))
      return (await readdir(path.join(tempRoot, name))).filter(each => each.startsWith('bundle-')).length
    }
    for (const folder of rest) await use(folder)
    assert.equal(await linked(), PROCESS_BUNDLES_MAX_COUNT)
    await use(first)
    assert.equal(await linked(), PROCESS_BUNDLES_MAX_COUNT)
    await use(first)
    await use(rest.at(-1) ?? '')
  })

  it('cancels a waiting job, and a running one', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const controller = new AbortController()
    const running = submit(pool, 'sleep-500', 'account_a', controller.signal)
    const waiting = submit(pool, 'spin', 'account_a', controller.signal)
    await until(() => pool.state.busyCount === 1)
    controller.abort(new Error('gone away'))
    await assert.rejects(running, /gone away/)
    await assert.rejects(waiting, /gone away/)
    assert.equal(pool.state.waitingJobCount, 0)
    assert.equal(pool.state.admittedCount, 0)
    await submit(pool, 'sleep-1')
  })

  it('kills no process when a client leaves, and reports the cancelled job’s time', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const processIds = pool.state.processIds
    const told: number[] = []
    for (let round = 1; round <= 5; round += 1) {
      const gone = new AbortController()
      const cancelled = pool.render(job('sleep-20000'), pool.admit('account_a'), gone.signal, ms => told.push(ms))
      await until(() => pool.state.busyCount === 1)
      await sleep(30)
      gone.abort(new Error('the client left'))
      await assert.rejects(cancelled, /the client left/)
      await until(() => told.length === round)
    }
    assert.ok(told.every(ms => ms > 0))
    await submit(pool, 'sleep-1')
    assert.deepEqual(pool.state.processIds, processIds)
  })

  it('kills a process that does not stop a cancelled job at the deadline, and counts the whole time', async () => {
    const { pool } = await startPool({ mockupBounds: { ...mockupBounds, processorMs: 1500 } })
    await using _ = pool
    const gone = new AbortController()
    const told: number[] = []
    const spinning = pool.render(job('spin'), pool.admit('account_a'), gone.signal, ms => told.push(ms))
    await until(() => pool.state.busyCount === 1)
    // By then it no longer receives messages.
    await sleep(200)
    gone.abort(new Error('gone away'))
    await assert.rejects(spinning, /gone away/)
    await submit(pool, 'sleep-1')
    assert.ok(told.length === 1 && (told[0] ?? 0) >= 1400, String(told))
  })

  it('reports the time of jobs that are complete, refused or lost, and none for one that did not begin', async () => {
    const { pool } = await startPool()
    await using _ = pool
    for (const name of ['sleep-50', 'reject', 'crash']) {
      const told: number[] = []
      await Promise.allSettled([pool.render(job(name), pool.admit('account_a'), undefined, ms => told.push(ms))])
      assert.equal(told.length, 1, name)
    }
    const running = submit(pool, 'sleep-500')
    const gone = new AbortController()
    const waiting = pool.render(job('a'), pool.admit('account_a'), gone.signal, () => assert.fail('told'))
    gone.abort(new Error('gone away'))
    await assert.rejects(waiting, /gone away/)
    await running
  })

  it('starts no job of an account that may no longer render', async () => {
    let mayRender = true
    const assertMayRender = (accountId: string) => {
      if (!mayRender && accountId === 'account_a') throw new Error('used up')
    }
    const { pool } = await startPool({ assertMayRender })
    await using _ = pool
    const running = submit(pool, 'sleep-300')
    const waiting = [submit(pool, 'a'), submit(pool, 'b')]
    const other = submit(pool, 'c', 'account_b')
    mayRender = false
    for (const each of waiting) await assert.rejects(each, /used up/)
    await Promise.all([running, other])
    assert.equal(pool.state.admittedCount, 0)
    assert.equal(pool.state.waitingJobCount, 0)
  })

  it('leaves one process free of accounts in debt, once another account has asked', async () => {
    const debtors = new Set(['debtor_a', 'debtor_b'])
    const { pool } = await startPool({ processCount: 2, isInDebt: accountId => debtors.has(accountId) })
    await using _ = pool
    await submit(pool, 'a', 'sound')
    const gone = new AbortController()
    const endless = ['debtor_a', 'debtor_b'].map(accountId => submit(pool, 'sleep-3600000', accountId, gone.signal))
    const batch = pool.render(job('sleep-3600000', 'sleep-3600001'), pool.admit('debtor_a'), gone.signal)
    assert.deepEqual([pool.state.busyCount, pool.state.waitingJobCount], [1, 2])
    for (const name of ['b', 'c', 'd']) assert.equal((await submit(pool, name, 'sound')).length, 1)
    assert.deepEqual([pool.state.busyCount, pool.state.waitingJobCount], [1, 2])
    // A debt is restored over time: waiting jobs are found when the next job is requested.
    debtors.clear()
    const last = submit(pool, 'e', 'sound', gone.signal)
    assert.equal(pool.state.busyCount, 2)
    gone.abort(new Error('gone away'))
    for (const each of [...endless, batch, last]) await assert.rejects(each, /gone away/)
  })

  it('gives an account in debt all processes while no other account asks, and the only one in any case', async () => {
    const all = await startPool({ processCount: 2, isInDebt: () => true })
    await using alone = all.pool
    const both = alone.render(job('sleep-100', 'sleep-101'), alone.admit('debtor'))
    assert.equal(alone.state.busyCount, 2)
    await both
    const one = await startPool({ isInDebt: accountId => accountId === 'debtor' })
    await using single = one.pool
    await submit(single, 'a', 'sound')
    assert.equal((await submit(single, 'b', 'debtor')).length, 1)
  })

  it('replaces a process that has grown, without an interruption', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const [grown] = pool.state.processIds
    await submit(pool, 'grow')
    await until(() => !pool.state.processIds.includes(grown ?? 0) && pool.state.readyCount === 1)
    await submit(pool, 'sleep-1')
  })

  it('gives a job to the process that has its template warm', async () => {
    const { pool } = await startPool({ processCount: 2 })
    await using _ = pool
    const processOf = async (name: string) => (await submit(pool, name))[0]?.stages[0]?.name
    const [one, other] = await Promise.all([processOf('sleep-50'), processOf('sleep-51')])
    assert.notEqual(one, other)
    for (let round = 0; round < 5; round += 1) {
      assert.equal(await processOf('sleep-51'), other)
      assert.equal(await processOf('sleep-50'), one)
    }
  })

  it('prefers a warm job near the front, but lets no job wait forever', async () => {
    const { pool } = await startPool()
    await using _ = pool
    await submit(pool, 'sleep-1')
    const order: string[] = []
    const note = async (name: string) => {
      await submit(pool, name)
      order.push(name)
    }
    const running = submit(pool, 'sleep-100')
    const jobs = [note('sleep-2'), ...Array.from({ length: 6 }, () => note('sleep-1'))]
    await Promise.all([running, ...jobs])
    assert.deepEqual(order.indexOf('sleep-2'), 3, order.join(' '))
  })
})

describe('The queue before the render processes', () => {
  it('holds as many requests of one account as the limit allows, and no more', async () => {
    const { pool } = await startPool({ queueLimit: 64 })
    await using _ = pool
    const permits = Array.from({ length: 64 }, () => pool.admit('account_a'))
    assert.throws(
      () => pool.admit('account_a'),
      (error: unknown) =>
        error instanceof GenerationError && error.failure.kind === 'busy' && error.failure.retryAfterS >= 1,
    )
    for (const permit of permits) permit.release()
    pool.admit('account_a').release()
  })

  it('admits another account although one has filled it, and then limits that one to its share', async () => {
    const { pool } = await startPool({ queueLimit: 8 })
    await using _ = pool
    const crowd = Array.from({ length: 8 }, () => pool.admit('account_a'))
    const guests = Array.from({ length: 4 }, () => pool.admit('account_b'))
    assert.throws(() => pool.admit('account_b'), { kind: 'busy' })
    crowd[0]?.release()
    assert.throws(() => pool.admit('account_a'), { kind: 'busy' })
    for (const guest of guests) guest.release()
    pool.admit('account_a').release()
  })

  it('serves accounts in turn', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const order: string[] = []
    const submitAs = async (accountId: string) => {
      await submit(pool, 'sleep-5', accountId)
      order.push(accountId)
    }
    const crowd = Array.from({ length: 6 }, () => submitAs('account_a'))
    await Promise.all([...crowd, submitAs('account_b')])
    assert.ok(order.indexOf('account_b') <= 2, order.join(' '))
  })

  it('refuses at once what past times show cannot be done in time, but tries a job if the queue is empty', async () => {
    const { pool } = await startPool({ requestBudgetMs: 1500 })
    await using _ = pool
    // No times are known yet, so each mockup is expected to take 400 ms.
    const running = [1, 2, 3].map(() => submit(pool, 'sleep-100'))
    assert.throws(() => pool.admit('account_a'), { kind: 'busy' })
    await Promise.all(running)
    await submit(pool, 'sleep-1')
  })

  it('does not count one account’s requests, waiting or still arriving, against another', async () => {
    const { pool } = await startPool({ requestBudgetMs: 3000 })
    await using _ = pool
    const permits = Array.from({ length: 40 }, () => pool.admit('account_a'))
    const crowd = Array.from({ length: 5 }, () => submit(pool, 'sleep-20'))
    const guest = submit(pool, 'sleep-20', 'account_b')
    await Promise.all([...crowd, guest])
    for (const permit of permits) permit.release()
  })

  it('cancels a job at the request’s deadline, waiting or running', async () => {
    const { pool } = await startPool({ requestBudgetMs: 1200 })
    await using _ = pool
    const running = submit(pool, 'sleep-5000')
    const waiting = submit(pool, 'sleep-1', 'account_b')
    await assert.rejects(running, { kind: 'busy' })
    await assert.rejects(waiting, { kind: 'busy' })
    assert.equal(pool.state.admittedCount, 0)
  })

  it('refuses all requests while the service is short of memory, or stopping', async () => {
    const { pool } = await startPool({ serviceMemoryMib: 1 })
    assert.throws(() => pool.admit('account_a'), { kind: 'busy' })
    await pool.close()
    assert.throws(() => pool.admit('account_a'), { kind: 'busy' })
  })

  it('ends running jobs when it closes, and refuses waiting ones', async () => {
    const { pool } = await startPool()
    const running = submit(pool, 'sleep-5000')
    const waiting = submit(pool, 'sleep-300')
    await until(() => pool.state.busyCount === 1)
    const closing = pool.close()
    await assert.rejects(waiting, { kind: 'busy' })
    await assert.rejects(running, { kind: 'render-failed' })
    await closing
  })
})
