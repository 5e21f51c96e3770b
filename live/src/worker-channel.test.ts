import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkerChannel } from './worker-channel.ts'

type Calls = { readonly double: (value: number) => Promise<number> }
type Asked = { readonly id: number; readonly name: string; readonly request: number }

/** The worker's end of a real message port; the test answers messages. */
function openChannel() {
  const { port1, port2 } = new MessageChannel()
  const asked: Asked[] = []
  let arrived = Promise.withResolvers<void>()
  port2.onmessage = ({ data }: MessageEvent<Asked>) => {
    asked.push(data)
    arrived.resolve()
    arrived = Promise.withResolvers()
  }
  const worker: Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'> = {
    postMessage: (message: unknown) => port1.postMessage(message),
    terminate: () => port1.close(),
    onmessage: null,
    onerror: null,
  }
  const channel = new WorkerChannel<Calls>(worker, 'This browser ended it.')
  // The listener set by the channel.
  port1.onmessage = worker.onmessage as typeof port1.onmessage
  const until = async (count: number) => {
    while (asked.length < count) await arrived.promise
    return asked
  }
  return { channel, worker, until, answer: (message: object) => port2.postMessage(message) }
}

test('answers may arrive in any order, and a failure rejects its own request', async () => {
  const { channel, until, answer } = openChannel()
  const answers = [channel.ask('double', 1), channel.ask('double', 2), channel.ask('double', 3)]
  const [one, two, three] = await until(3)
  answer({ id: three?.id, answer: 6 })
  answer({ id: two?.id, failure: 'no two' })
  answer({ id: one?.id, answer: 2 })
  await assert.rejects(answers[1] ?? assert.fail(), /no two/)
  assert.deepEqual([await answers[0], await answers[2]], [2, 6])
  channel.end()
})

test('when a worker dies, pending and later requests fail', async () => {
  const { channel, worker, until } = openChannel()
  const waiting = channel.ask('double', 1)
  await until(1)
  // Neither the worker nor the event is used.
  worker.onerror?.call(worker as Worker, new Event('error') as ErrorEvent)
  await assert.rejects(waiting, /ended it/)
  await assert.rejects(channel.ask('double', 2), /ended it/)
})

test('of requests made while one is pending, only the newest is sent, and none after the end', async () => {
  const { channel, until, answer } = openChannel()
  const first = channel.askNewest('double', 1)
  await until(1)
  const [second, third] = [channel.askNewest('double', 2), channel.askNewest('double', 3)]
  assert.equal(await second, undefined)
  answer({ id: 1, answer: 2 })
  assert.equal(await first, 2)
  const asked = await until(2)
  assert.deepEqual(
    asked.map(({ request }) => request),
    [1, 3],
  )
  const fourth = channel.askNewest('double', 4)
  channel.end()
  await assert.rejects(third, { name: 'AbortError' })
  assert.equal(await fourth, undefined)
})
