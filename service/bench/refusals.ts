/**
 * Processor time of a refusal while the queue is full.
 *
 *   node service/bench/refusals.ts [requests, default 20000] [bytes of each body, default 200] [unknown-key]
 *
 * The queue is full of requests whose artwork never arrives, and nothing renders. With `unknown-key` requests
 * are refused for their key. Prints the processor time of the service for each refusal, by thread, and of the
 * load client.
 */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { buildApiKey } from '../src/api-keys/api-key-format.ts'
import { parseStat } from '../src/sandbox/process-stat.ts'
import { buildRequest, LoadClient } from './load-client.ts'
import { spawnService } from './spawned-service.ts'

const wanted = Number(process.argv[2] ?? 20_000)
const bodyBytes = Number(process.argv[3] ?? 200)
const isUnknownKey = process.argv[4] === 'unknown-key'
const origin = createServer(() => undefined).listen(0, '127.0.0.1')
await once(origin, 'listening')
const address = origin.address()
if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
const host = `127.0.0.1:${address.port}`
{
  await using service = await spawnService({
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_DAY: '100000000',
    RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '100000000',
    RENDER_QUEUE_LIMIT: '1',
    RENDER_WORKERS: '1',
    ARTWORK_ALLOWED_PRIVATE_HOSTS: host,
    ...(process.env['SERVICE_NODE_OPTIONS'] === undefined ? {} : { NODE_OPTIONS: process.env['SERVICE_NODE_OPTIONS'] }),
  })
  const { key } = await service.customer(1000)
  const listed = await fetch(`${service.url}/api/v1/templates?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  const id = /"id":"([^"]+)"/.exec(await listed.text())?.[1] ?? ''
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const fields = JSON.stringify({ template_id: id, artwork_url: `http://${host}/a.jpg`, width: 1000 })
  const holding = buildRequest('POST', '/api/v1/mockups/generate', headers, Buffer.from(fields))
  const refused = isUnknownKey ? { ...headers, Authorization: `Bearer ${buildApiKey()}` } : headers
  const request = buildRequest('POST', '/api/v1/mockups/generate', refused, Buffer.from(fields.padEnd(bodyBytes)))
  const client = new LoadClient(service.url)
  for (const [round, count] of [wanted / 4, wanted].entries()) {
    const held = client.send(holding)
    await once(origin, 'request')
    const before = await threadMicros(service.process.pid ?? 0)
    const clientBefore = process.cpuUsage()
    const statuses = await refuse(client, request, count)
    const spent = process.cpuUsage(clientBefore)
    const after = await threadMicros(service.process.pid ?? 0)
    origin.closeAllConnections()
    await held
    if (round === 0) continue
    console.log(Object.fromEntries(statuses))
    const byName = new Map<string, number>()
    for (const [thread, { name, micros }] of after) {
      const spent = (micros - (before.get(thread)?.micros ?? 0)) / count
      byName.set(name, (byName.get(name) ?? 0) + spent)
    }
    console.table(
      Object.fromEntries([...byName].map(([name, micros]) => [name, { 'us / refusal': micros.toFixed(1) }])),
    )
    console.log('all', [...byName.values()].reduce((sum, micros) => sum + micros, 0).toFixed(1))
    console.log('client', ((spent.user + spent.system) / count).toFixed(1))
  }
  client.close()
}
origin.closeAllConnections()
origin.close()

/** Keeps requests under way until `count` are answered, and counts the answers by status. */
function refuse(client: LoadClient, request: Buffer, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let sent = 0
  let answered = 0
  return new Promise(resolve => {
    const onAnswer = (_: number, status: number) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      answered += 1
      if (answered === count) resolve(statuses)
      else send()
    }
    const send = () => {
      if (sent >= count) return
      sent += 1
      client.start(request, 0, onAnswer)
    }
    for (let i = 0; i < 32; i += 1) send()
  })
}

/** Processor time of each thread of a process, in microseconds (Linux: /proc). */
async function threadMicros(pid: number): Promise<Map<string, { name: string; micros: number }>> {
  const threads = new Map<string, { name: string; micros: number }>()
  for (const id of await readdir(`/proc/${pid}/task`)) {
    const stat = await readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')
    const { name, cpuMs } = parseStat(stat)
    threads.set(id, { name: Number(id) === pid ? 'main' : name, micros: cpuMs * 1000 })
  }
  return threads
}
