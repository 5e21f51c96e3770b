import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GenerationError } from '../../src/mockups/generation-error.ts'
import { mockupBounds, PROCESS_BUNDLES_MAX_COUNT } from '../../src/mockups/limits.ts'
import type { RenderJob } from '../../src/mockups/render-job.ts'
import { NotBegunError, RenderProcess } from '../../src/mockups/render-process.ts'
import { PrivateFolders } from '../../src/storage/private-folders.ts'
import {
  bundleFolder,
  job,
  scriptedProgram,
  startPool,
  submit,
  tempRoot,
  until,
  useScriptedJobs,
} from './scripted-pool.ts'

const KILL_COUNT = process.env['VITRINE_TEST_SIZE'] === 'full' ? 100 : 2

useScriptedJobs()

/** A process with its own jobs, without a pool. */
async function startProcess(): Promise<RenderProcess> {
  const { root } = await PrivateFolders.open(tempRoot)
  const process = new RenderProcess(
    { ...scriptedProgram, tempRoot: root, memoryMib: 1536, mockupBounds },
    () => undefined,
  )
  assert.ok(await process.ready)
  return process
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

describe('A render process that dies or is due', () => {
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

  it('replaces a process that has grown, without an interruption', async () => {
    const { pool } = await startPool()
    await using _ = pool
    const [grown] = pool.state.processIds
    await submit(pool, 'grow')
    await until(() => !pool.state.processIds.includes(grown ?? 0) && pool.state.readyCount === 1)
    await submit(pool, 'sleep-1')
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
})

describe('A render process of a pool', () => {
  it('has the same priority as the service, so that other programs do not take every core', async () => {
    const { pool } = await startPool()
    await using _ = pool
    assert.equal(getPriority(pool.state.processIds[0] ?? 0), getPriority())
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
})
