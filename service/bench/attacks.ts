/**
 * What one account that spends nothing takes from another customer.
 *
 *   node service/bench/attacks.ts [seconds of each phase, default 30] [part of an attack's name]
 *
 * For each attack a new service, whose other customer asks for a default mockup every 0.7 s: first alone,
 * then under the attack. Prints the medians, the refusals, the greatest resident memory of the service's
 * process and the render processes that were killed. Client, attacker and service share this machine. Ends
 * with code 1 where a bar fails.
 */
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { createdKeySchema } from '@vitrine/contract'
import { type Attack, type Attacker, attacks, startAttackOrigin } from './account-attacks.ts'
import { readSampleArtwork, type SpawnedService, spawnService } from './spawned-service.ts'

const seconds = Number(process.argv[2] ?? 30)
const chosen = attacks.filter(({ name }) => name.includes(process.argv[3] ?? ''))

const KEYS = 30
/** Below the limit of a key. */
const VICTIM_PACE_MS = 700
const bars = { slowdownMax: 3, refusedMax: 0, residentMibMax: 600, killedPerMinuteMax: 1 } as const

type Phase = {
  readonly medianMs: number
  readonly maxMs: number
  readonly countByStatus: Readonly<Record<number, number>>
  readonly residentMibMax: number
  readonly killed: number
}

const artwork = new Blob([await readSampleArtwork()])
using origin = await startAttackOrigin()
// The services have priority over this process, which is client and attacker.
os.setPriority(5)
const rows: Record<string, Record<string, string>> = {}
let isHeld = true
for (const attack of chosen) {
  const row = await measure(attack)
  rows[attack.name] = row
  console.log(attack.name, JSON.stringify(row))
}
console.table(rows)
if (!isHeld) process.exitCode = 1

async function measure(attack: Attack): Promise<Record<string, string>> {
  await using service = await spawnService({ ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.host, RENDER_WORKERS: '2' })
  const victim = await service.customer(1_000_000)
  const attacker = await enter(service, attack)
  await observe(service, victim.key, 5)
  const calm = await observe(service, victim.key, seconds)
  const over = new AbortController()
  const running = attack.run(attacker, over.signal)
  const attacked = await observe(service, victim.key, seconds)
  over.abort()
  await running
  const slowdown = attacked.medianMs / calm.medianMs
  const refused = attacked.countByStatus[503] ?? 0
  const holds =
    slowdown <= bars.slowdownMax &&
    refused <= bars.refusedMax &&
    attacked.residentMibMax < bars.residentMibMax &&
    attacked.killed <= Math.max(1, (seconds / 60) * bars.killedPerMinuteMax) &&
    Object.keys(attacked.countByStatus).every(status => status === '200')
  isHeld &&= holds
  return {
    'calm ms': calm.medianMs.toFixed(0),
    'attacked ms': attacked.medianMs.toFixed(0),
    'slowest ms': attacked.maxMs.toFixed(0),
    times: slowdown.toFixed(2),
    'its answers': JSON.stringify(attacked.countByStatus),
    'service MiB': attacked.residentMibMax.toFixed(0),
    killed: String(attacked.killed),
    "the attacker's answers": JSON.stringify(Object.fromEntries(attacker.answers)),
    bars: holds ? 'hold' : 'FAIL',
  }
}

/** An account with keys and a session. */
async function enter(service: SpawnedService, { credits }: Attack): Promise<Attacker> {
  const { email, key } = await service.customer(credits)
  const keys = [key]
  const { url: link } = await service.command('account', 'sign-in-link', '--email', email)
  const entered = await fetch(`${service.url}/dashboard/auth/magic-link/verify`, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(String(link)).hash.slice(1) }),
  })
  const cookie = entered.headers
    .getSetCookie()
    .map(each => each.split(';')[0] ?? '')
    .join('; ')
  const headers = { cookie, origin: service.url, 'content-type': 'application/json' }
  while (keys.length < KEYS) {
    const body = JSON.stringify({ name: `key ${keys.length}` })
    const made = await fetch(`${service.url}/dashboard/api/keys`, { method: 'POST', headers, body })
    if (!made.ok) throw new Error(`A key was not made: ${await made.text()}`)
    keys.push(createdKeySchema.parse(await made.json()).key)
  }
  return { service, email, keys, cookie, originUrl: origin.url, answers: new Map() }
}

/** Asks for mockups as the other customer, at a steady pace. */
async function observe(service: SpawnedService, key: string, forS: number): Promise<Phase> {
  const killedBefore = await readKilled(service)
  const durationsMs: number[] = []
  const countByStatus: Record<number, number> = {}
  let residentMibMax = 0
  const endMs = performance.now() + forS * 1000
  while (performance.now() < endMs) {
    const paced = delay(VICTIM_PACE_MS)
    const form = new FormData()
    form.set('template_id', 'oak-frame-portrait')
    form.set('artwork', artwork, 'artwork.jpg')
    const startedMs = performance.now()
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${service.url}/api/v1/mockups/generate`, { method: 'POST', headers, body: form })
    await answer.arrayBuffer()
    durationsMs.push(performance.now() - startedMs)
    countByStatus[answer.status] = (countByStatus[answer.status] ?? 0) + 1
    residentMibMax = Math.max(residentMibMax, await readResidentMib(service))
    await paced
  }
  const medianMs = durationsMs.toSorted((a, b) => a - b)[durationsMs.length >> 1] ?? 0
  const maxMs = Math.max(...durationsMs)
  return { medianMs, maxMs, countByStatus, residentMibMax, killed: (await readKilled(service)) - killedBefore }
}

async function readResidentMib({ process: { pid } }: SpawnedService): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

async function readKilled({ url }: SpawnedService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^vitrine_render_processes_lost_total (\d+)/m.exec(text)?.[1] ?? 0)
}
