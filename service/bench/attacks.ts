/**
 * What one account that spends nothing takes from another customer.
 *
 *   node service/bench/attacks.ts [seconds of each phase, default 30] [parts of attacks' names ...]
 *
 * For each attack a new service, whose other customer asks for a default mockup and a page of the dashboard
 * every 0.7 s: first alone, then under the attack, and signs in at its end. Prints the medians, the refusals,
 * the greatest resident memory of the service's process and the render processes that were killed. Client,
 * attacker and service share this machine. *Cores* is processor time by the clock's, of the service's process
 * and of its render and import processes: what the attack costs where other work makes the times longer. Ends
 * with code 1 where a bar fails.
 */
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createdKeySchema } from '@vitrine/contract'
import { type Attack, type Attacker, attacks, startAttackOrigin } from './account-attacks.ts'
import { bodyAttacks } from './body-attacks.ts'
import { longLists, repeatedAssistantCalls } from './list-attacks.ts'
import { readProcessTimes } from './process-times.ts'
import { readSampleArtwork, type SpawnedService, spawnService } from './spawned-service.ts'

const seconds = Number(process.argv[2] ?? 30)
const parts = process.argv.slice(3)
const all = [...attacks, repeatedAssistantCalls, longLists, ...bodyAttacks]
const chosen = all.filter(({ name }) => parts.length === 0 || parts.some(part => name.includes(part)))
if (chosen.length === 0) throw new Error(`Expected parts of these names: ${all.map(({ name }) => name).join(', ')}`)

const KEYS = 30
/** Below the limit of a key. */
const VICTIM_PACE_MS = 700
const PASSWORD = 'six patient otters by the lake'
const bars = { slowdownMax: 3, refusedMax: 0, residentMibMax: 600, killedPerMinuteMax: 1 } as const

type Phase = {
  readonly medianMs: number
  readonly maxMs: number
  readonly countByStatus: Readonly<Record<number, number>>
  readonly residentMibMax: number
  readonly killed: number
  readonly pageMedianMs: number
  readonly cores: string
  readonly pagesByStatus: Readonly<Record<number, number>>
}

/** The other customer. */
type Victim = { readonly email: string; readonly key: string; readonly cookie: string }

const artwork = new Blob([await readSampleArtwork()])
using origin = await startAttackOrigin()
const imported = await importStarters()
const rows: Record<string, Record<string, string>> = {}
let isHeld = true
for (const attack of chosen) {
  const row = await measure(attack)
  rows[attack.name] = row
  console.log(attack.name, JSON.stringify(row))
}
await rm(imported, { recursive: true })
console.table(rows)
if (!isHeld) process.exitCode = 1

/** A data folder with the starter pack, which each attacked service begins with a copy of. */
async function importStarters(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-starters-'))
  await using service = await spawnService()
  service.process.kill('SIGTERM')
  await once(service.process, 'exit')
  await cp(service.dataDir, folder, { recursive: true })
  return folder
}

async function measure(attack: Attack): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'vitrine-attacked-'))
  await cp(imported, dataDir, { recursive: true })
  const settings = { ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.host, RENDER_WORKERS: '2', ...attack.settings }
  await using service = await spawnService(settings, dataDir)
  const { email, key } = await service.customer(1_000_000)
  const victim = { email, key, cookie: await signIn(service, email) }
  await choosePassword(service, victim)
  const attacker = await enter(service, attack, email)
  await observe(service, victim, 5)
  const calm = await observe(service, victim, seconds)
  const over = new AbortController()
  const running = attack.run(attacker, over.signal)
  const attacked = await observe(service, victim, seconds)
  const signedIn = await signInByPassword(service, victim)
  over.abort()
  await running
  const slowdown = attacked.medianMs / calm.medianMs
  const refused = attacked.countByStatus[503] ?? 0
  const holds =
    slowdown <= (attack.slowdownMax ?? bars.slowdownMax) &&
    refused <= bars.refusedMax &&
    attacked.residentMibMax < bars.residentMibMax &&
    attacked.killed <= Math.max(1, (seconds / 60) * bars.killedPerMinuteMax) &&
    [attacked.countByStatus, attacked.pagesByStatus].every(counts => Object.keys(counts).join() === '200') &&
    signedIn === 200
  isHeld &&= holds
  return {
    'calm ms': calm.medianMs.toFixed(0),
    'attacked ms': attacked.medianMs.toFixed(0),
    'slowest ms': attacked.maxMs.toFixed(0),
    times: slowdown.toFixed(2),
    'its answers': JSON.stringify(attacked.countByStatus),
    'page ms, calm': calm.pageMedianMs.toFixed(1),
    'page ms, attacked': attacked.pageMedianMs.toFixed(1),
    'its pages': JSON.stringify(attacked.pagesByStatus),
    'its sign-in': String(signedIn),
    'cores, calm': calm.cores,
    'cores, attacked': attacked.cores,
    'service MiB': attacked.residentMibMax.toFixed(0),
    killed: String(attacked.killed),
    "the attacker's answers": JSON.stringify(Object.fromEntries(attacker.answers)),
    bars: holds ? 'hold' : 'FAIL',
  }
}

/** Enters the dashboard by a link: the cookies of the session and of the browser, which is known then. */
async function signIn(service: SpawnedService, email: string): Promise<string> {
  const { url: link } = await service.command('account', 'sign-in-link', '--email', email)
  const entered = await post(service, '/dashboard/auth/magic-link/verify', {
    token: new URL(String(link)).hash.slice(1),
  })
  return entered.headers
    .getSetCookie()
    .map(each => each.split(';')[0] ?? '')
    .join('; ')
}

function post({ url }: SpawnedService, path: string, fields: unknown, cookie = ''): Promise<Response> {
  const headers = { origin: url, 'content-type': 'application/json', cookie }
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(fields) })
}

async function choosePassword(service: SpawnedService, { cookie }: Victim): Promise<void> {
  const answer = await post(service, '/dashboard/api/account/password', { password: PASSWORD }, cookie)
  if (!answer.ok) throw new Error(`No password was chosen: ${await answer.text()}`)
}

/** As the owner in a browser that signed in before. */
async function signInByPassword(service: SpawnedService, { email, cookie }: Victim): Promise<number> {
  return (await post(service, '/dashboard/auth/sign-in/email', { email, password: PASSWORD }, cookie)).status
}

/** An account with keys and a session. */
async function enter(service: SpawnedService, { credits }: Attack, victimEmail: string): Promise<Attacker> {
  const { email, key } = await service.customer(credits)
  const keys = [key]
  const cookie = await signIn(service, email)
  while (keys.length < KEYS) {
    const made = await post(service, '/dashboard/api/keys', { name: `key ${keys.length}` }, cookie)
    if (!made.ok) throw new Error(`A key was not made: ${await made.text()}`)
    keys.push(createdKeySchema.parse(await made.json()).key)
  }
  return { service, email, victimEmail, keys, cookie, originUrl: origin.url, answers: new Map() }
}

/** Asks for mockups and pages as the other customer, at a steady pace. */
async function observe(service: SpawnedService, { key, cookie }: Victim, forS: number): Promise<Phase> {
  const killedBefore = await readKilled(service)
  const [durationsMs, pagesMs]: [number[], number[]] = [[], []]
  const countByStatus: Record<number, number> = {}
  const pagesByStatus: Record<number, number> = {}
  let residentMibMax = 0
  const pid = service.process.pid ?? 0
  const [before, beganMs] = [readProcessTimes(pid), performance.now()]
  const endMs = beganMs + forS * 1000
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
    const askedMs = performance.now()
    const page = await fetch(`${service.url}/dashboard/api/usage`, { headers: { cookie } })
    await page.arrayBuffer()
    pagesMs.push(performance.now() - askedMs)
    pagesByStatus[page.status] = (pagesByStatus[page.status] ?? 0) + 1
    residentMibMax = Math.max(residentMibMax, await readResidentMib(service))
    await paced
  }
  const [after, tookMs] = [readProcessTimes(pid), performance.now() - beganMs]
  const cores = (['ownMs', 'childrenMs'] as const).map(of => ((after[of] - before[of]) / tookMs).toFixed(2)).join(' + ')
  const killed = (await readKilled(service)) - killedBefore
  const [medianMs, pageMedianMs] = [medianOf(durationsMs), medianOf(pagesMs)]
  const maxMs = Math.max(...durationsMs)
  return { medianMs, maxMs, countByStatus, residentMibMax, killed, pageMedianMs, cores, pagesByStatus }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

async function readResidentMib({ process: { pid } }: SpawnedService): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

async function readKilled({ url }: SpawnedService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^vitrine_render_processes_lost_total (\d+)/m.exec(text)?.[1] ?? 0)
}
