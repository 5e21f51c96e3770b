/**
 * Asks /healthz ten times a second, in a thread of its own at the process's first priority, so that it
 * measures the service and not the load client. Answers every message with the durations since the last one,
 * in milliseconds.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { buildRequest, LoadClient } from './load-client.ts'

const PAUSE_MS = 100

const url: unknown = workerData
if (typeof url !== 'string' || parentPort === null) throw new Error('health-prober runs as a worker thread')
const client = new LoadClient(url)
const request = buildRequest('GET', '/healthz', {})
let durationsMs: number[] = []
parentPort.on('message', () => {
  parentPort?.postMessage(durationsMs)
  durationsMs = []
})
for (;;) {
  const { status, durationMs } = await client.send(request)
  durationsMs.push(status === 200 ? durationMs : Number.POSITIVE_INFINITY)
  await delay(PAUSE_MS)
}
