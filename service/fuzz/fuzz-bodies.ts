/**
 * Sends bodies that are damaged, cut, too long or framed wrongly to every route that takes one, with and
 * without a key, a link and a session, to a service in a process of its own.
 *
 *   node service/fuzz/fuzz-bodies.ts [--minutes 10] [--seed 1] [--only NUMBER]
 *
 * Every request has a number, which with the seed makes it again: `--only` sends that one. The service must
 * not end, answer 500 or log a failure, and at the end no file and no reservation may be left and the ledger
 * must verify. Ends with code 1 where one of these fails.
 */
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../src/database/database.ts'
import { makeData, SMALL_TEMPLATE_ID } from '../test/cli/make-data.ts'
import { runHere } from '../test/cli/run-here.ts'
import { startVitrine, type VitrineServer } from '../test/cli/vitrine-server.ts'
import { Visitor } from '../test/dashboard/visitor.ts'
import { type BodyRoute, collectBodyRoutes } from '../test/http/body-routes.ts'
import { octetTargets } from '../test/http/octet-targets.ts'
import { TestService } from '../test/http/test-service.ts'
import { seededRandom } from '../test/seeded-random.ts'
import { buildFuzzedRequest, type FuzzedRequest, type FuzzedTarget } from './fuzzed-request.ts'

/** Requests under way at once. */
const LANES = 6
/** Requests of one customer: imports and answers are counted by account and network. */
const REQUESTS_PER_SHOP = 40
/** A request that nobody answers: the service waits 10 s for the next bytes. */
const PATIENCE_MS = 30_000
const SILENCE_MS = 200

export type FuzzReport = {
  readonly requests: number
  readonly statuses: ReadonlyMap<string, number>
  readonly faults: readonly string[]
}

/** @param limit how long, or how many requests; `only` is the number of a single one */
export async function fuzzBodies(
  seed: number,
  limit: { readonly minutes?: number; readonly requests?: number; readonly only?: number },
): Promise<FuzzReport> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-fuzz-bodies-'))
  const routes = await listRoutes()
  const { dataDir, key } = await makeData(folder)
  const environment = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_DAY: '1000000',
    RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '1000000',
  }
  const server = await startVitrine(environment)
  const run: Run = { server, environment, routes, key, seed, statuses: new Map(), faults: [], shops: new Map() }
  const endMs = performance.now() + (limit.minutes ?? Number.POSITIVE_INFINITY) * 60_000
  let next = limit.only ?? 0
  const last = limit.only ?? (limit.requests ?? Number.POSITIVE_INFINITY) - 1
  const lane = async () => {
    while (next <= last && performance.now() < endMs && run.faults.length === 0) await sendOne(run, next++)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await lookAfterwards(run)
  await rm(folder, { recursive: true, force: true })
  return { requests: next, statuses: run.statuses, faults: run.faults }
}

type Run = {
  readonly server: VitrineServer
  readonly environment: Readonly<Record<string, string>>
  readonly routes: readonly BodyRoute[]
  readonly key: string
  readonly seed: number
  readonly statuses: Map<string, number>
  readonly faults: string[]
  readonly shops: Map<number, Promise<Visitor>>
}

/** The routes of a service in this process: those that the other one has. */
async function listRoutes(): Promise<readonly BodyRoute[]> {
  const routes = collectBodyRoutes()
  await using _service = await TestService.start('sqlite')
  return [...routes]
}

/** A customer for some requests, made at the first of them. */
function shopOf(run: Run, number: number): Promise<Visitor> {
  const index = Math.floor(number / REQUESTS_PER_SHOP)
  const shop = run.shops.get(index) ?? enter(run, `shop-${run.seed}-${index}@example.com`)
  run.shops.set(index, shop)
  return shop
}

async function enter({ server, environment }: Run, email: string): Promise<Visitor> {
  await runHere(['account', 'create', '--email', email, '--json'], environment)
  const { json, stderr } = await runHere(['account', 'sign-in-link', '--email', email, '--json'], environment)
  if (typeof json['url'] !== 'string') throw new Error(`No sign-in link: ${stderr}`)
  return Visitor.bySignInLink(server.url, json['url'])
}

async function sendOne(run: Run, number: number): Promise<void> {
  const random = seededRandom(run.seed * 1_000_003 + number)
  const route = run.routes[Math.floor(random() * run.routes.length)]
  if (route === undefined) throw new Error('There are no routes')
  const request = buildFuzzedRequest(route, await targetOf(run, route, number, random), random)
  const note = (fault: string) => run.faults.push(`--seed ${run.seed} --only ${number}: ${fault}: ${request.summary}`)
  const status = await exchange(run.server.url, request)
  run.statuses.set(status, (run.statuses.get(status) ?? 0) + 1)
  if (status === '500') note('it was answered 500')
  const { exitCode, signalCode } = run.server.child
  if (exitCode !== null || signalCode !== null) note(`the service ended with ${exitCode ?? signalCode}`)
  // A client that sends a whole body has an answer. Behind what cannot be read the connection may be reset.
  if (status === 'none' && request.end === 'wait' && request.isClear) note('it was not answered')
}

async function targetOf(run: Run, route: BodyRoute, number: number, random: () => number): Promise<FuzzedTarget> {
  const network = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  const make = octetTargets[route.url]
  const kind = random()
  if (make !== undefined && kind < 0.8) {
    const shop = await shopOf(run, number)
    const address = { running: { url: run.server.url } }
    const target = await make(address, { shop, network, templateId: SMALL_TEMPLATE_ID }).catch(() => null)
    // It has as many links or imports as it may have.
    if (target !== null) return { ...target, headers: { 'x-forwarded-for': network, ...target.headers } }
  }
  const caller =
    kind < 0.4
      ? { cookie: (await shopOf(run, number)).cookie }
      : kind < 0.7
        ? { authorization: `Bearer ${run.key}` }
        : {}
  const headers = { origin: run.server.url, 'x-forwarded-for': network, 'content-type': 'application/json', ...caller }
  return { path: route.url.replaceAll(/:(\w+)|\*/g, '0'), headers, good: Buffer.from('{"name":"a name"}') }
}

/** The status of the first answer; `none` where the connection ended without one, or the client left. */
async function exchange(url: string, { pieces, end }: FuzzedRequest): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.on('error', () => undefined)
  let received = ''
  socket.on('data', bytes => {
    received = (received + bytes.toString('latin1')).slice(0, 100_000)
  })
  const statusOf = () => /^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)*HTTP\/1\.1 ([2-5]\d\d)/.exec(received)?.[1] ?? 'none'
  const isOver = () => socket.destroyed || socket.readableEnded || statusOf() !== 'none'
  try {
    await once(socket, 'connect')
    for (const piece of pieces) {
      if (isOver()) break
      if (!socket.write(piece))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
      await delay(1)
    }
    if (end === 'reset') socket.resetAndDestroy()
    if (end === 'half-close') socket.end()
    const untilMs = performance.now() + (end === 'silence' ? SILENCE_MS : PATIENCE_MS)
    while (!isOver() && performance.now() < untilMs) await delay(10)
    return statusOf()
  } finally {
    socket.destroy()
  }
}

/** What is left when all clients have gone, and after the service has stopped. */
async function lookAfterwards({ server, environment, faults }: Run): Promise<void> {
  const dataDir = environment['DATA_DIR'] ?? ''
  const filesLeft = async () => {
    const found = await Promise.all(
      (
        [
          ['tmp', 'request-'],
          ['imports', 'import-'],
          ['objects/.drafts', ''],
        ] as const
      ).map(async ([folder, prefix]) => {
        const names = await readdir(path.join(dataDir, folder)).catch(() => [])
        return names.filter(name => name.startsWith(prefix)).map(name => `${folder}/${name}`)
      }),
    )
    return found.flat()
  }
  if (server.child.exitCode === null) {
    for (let look = 0; look < 300 && (await filesLeft()).length > 0; look++) await delay(100)
    const { code } = await server.stop()
    if (code !== 0) faults.push(`the service stopped with code ${code}`)
  }
  for (const name of await filesLeft()) faults.push(`${name} was left`)
  for (const line of server.output().split('\n'))
    if (/"level":"(error|fatal)"|[Uu]nhandled|[Uu]ncaught|TypeError/.test(line))
      faults.push(`it logged ${line.slice(0, 500)}`)
  const database = await openDatabase({ dataDir, databaseUrl: undefined })
  const { queries } = database
  const open = await queries.selectFrom('reservations').selectAll().where('state', '=', 'reserved').execute()
  if (open.length > 0) faults.push(`${open.length} credits stay reserved`)
  const parts = await queries.selectFrom('psd_import_parts').selectAll().where('is_stored', '=', 0).execute()
  if (parts.length > 0) faults.push(`room for ${parts.length} parts stays reserved`)
  for (const proof of await queries.selectFrom('proofs').select(['id', 'file_count', 'file_bytes']).execute()) {
    const { files, bytes } = await measureStored(path.join(dataDir, 'objects/proofs', proof.id))
    if (proof.file_count > files || proof.file_bytes !== bytes)
      faults.push(`the link ${proof.id} counts ${proof.file_bytes} bytes and has ${bytes}`)
  }
  await database.close()
  const { code, stdout } = await runHere(['ledger', 'verify'], environment)
  if (code !== 0) faults.push(`the ledger does not verify: ${stdout}`)
}

async function measureStored(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(names.map(async name => (await stat(path.join(folder, name))).size))
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

if (import.meta.main) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { minutes: text, seed: text, only: text } })
  const only = values.only === undefined ? {} : { only: Number(values.only) }
  const report = await fuzzBodies(Number(values.seed ?? 1), { minutes: Number(values.minutes ?? 10), ...only })
  console.log(`${report.requests} requests`, Object.fromEntries(report.statuses))
  for (const fault of report.faults) console.log(`FAILS  ${fault}`)
  process.exitCode = report.faults.length === 0 ? 0 : 1
}
