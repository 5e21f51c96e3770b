import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { BackgroundWork } from '../../src/sandbox/background-work.ts'
import { readCpuMs } from '../../src/sandbox/process-stat.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'

const file = path.join(import.meta.dirname, 'background-program.ts')

/** A process that works endlessly until the test is over. */
async function startWork(t: TestContext, background: BackgroundWork): Promise<ChildProcess> {
  const repository = path.resolve(import.meta.dirname, '../../..')
  const child = startSandbox({ file, readablePaths: [repository], writablePaths: [], memoryMib: 1024, background })
  t.after(async () => {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  })
  await once(child, 'message')
  return child
}

/** Linux's letter for a process's state: R runs, T is stopped, Z has ended; null if it is gone. */
function stateOf(pid: number | undefined): string | null {
  const stat = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : ''
  return /.*\) (\S)/s.exec(stat)?.[1] ?? null
}

async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(5)
}

test('background work is stopped during mockups and resumed after the last of them', async t => {
  using background = new BackgroundWork({ coreCount: 2 })
  const child = await startWork(t, background)
  const first = background.giveWay()
  const second = background.giveWay()
  await waitUntil(() => stateOf(child.pid) === 'T')
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  const idle = background.idle()
  assert.equal(await Promise.race([idle, delay(200, 'still waits')]), 'still waits')
  assert.equal(stateOf(child.pid), 'T')
  second[Symbol.dispose]()
  await idle
  await waitUntil(() => stateOf(child.pid) === 'R')
})

test('nothing is stopped while a core is free, and work resumes as soon as one is', async t => {
  using background = new BackgroundWork({ coreCount: 4 })
  const child = await startWork(t, background)
  const mockups = [background.giveWay(), background.giveWay()]
  await background.idle()
  // Not stopped; also a busy process sleeps for moments, while it waits for its own threads.
  assert.notEqual(stateOf(child.pid), 'T')
  mockups.push(background.giveWay())
  await waitUntil(() => stateOf(child.pid) === 'T')
  mockups[0]?.[Symbol.dispose]()
  await background.idle()
  await waitUntil(() => stateOf(child.pid) === 'R')
})

test('a process started during a mockup waits, too, and mockups of a closing service stop nothing', async t => {
  using background = new BackgroundWork({ coreCount: 2 })
  const way = background.giveWay()
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  background.add(child)
  await waitUntil(() => stateOf(child.pid) === 'T')
  background[Symbol.dispose]()
  await waitUntil(() => stateOf(child.pid) === 'R')
  way[Symbol.dispose]()
  background.giveWay()
  await background.idle()
  assert.notEqual(stateOf(child.pid), 'T')
})

test('under continuous load, all background work gets turns', async t => {
  using background = new BackgroundWork({ coreCount: 2 })
  const children = [await startWork(t, background), await startWork(t, background)]
  background.giveWay()
  await waitUntil(() => children.every(({ pid }) => stateOf(pid) === 'T'))
  const before = children.map(({ pid }) => readCpuMs(pid) ?? 0)
  await background.idle()
  await waitUntil(() => children.every(({ pid }, index) => (readCpuMs(pid) ?? 0) > (before[index] ?? 0)))
  await waitUntil(() => children.every(({ pid }) => stateOf(pid) === 'T'))
})

test('a service that is killed while it pauses work leaves no stopped process', async () => {
  const service = spawn(process.execPath, [path.join(import.meta.dirname, 'killed-service.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(service.stdout, 'data')
  const pid = Number(String(printed))
  await waitUntil(() => stateOf(pid) === 'T')
  service.kill('SIGKILL')
  await waitUntil(() => stateOf(pid) === null || stateOf(pid) === 'Z')
})
