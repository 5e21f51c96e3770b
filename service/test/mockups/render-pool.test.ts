import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GenerationError } from '../../src/mockups/generation-error.ts'
import { BackgroundWork } from '../../src/sandbox/background-work.ts'
import { job, startPool, submit, until, useScriptedJobs } from './scripted-pool.ts'

useScriptedJobs()

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
