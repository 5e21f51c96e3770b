/**
 * What a mockup costs a node with PostgreSQL, Redis and S3, beside the default of one process alone.
 *
 *   node service/bench/shared-engines.ts [--mockups 300] [--default-mockups 40] [--rounds 5] [--at-least 0.9]
 *
 * Both services run on this machine and take turns. *Small*: 300 px, an artwork of about 50 kB that is known.
 * *Keyed*: the same with an `Idempotency-Key`, and what that adds to the service's time. *Default*: no width,
 * so 2,000 px, an artwork of 3,000 x 4,500 px and 3.3 MB that is new each time. Prints the median processor
 * time of a mockup in the service and its render processes, and throughput by processor time as a part of the
 * default's: `--at-least` for small mockups, else the code is 1. The servers are those of the tests, but
 * PostgreSQL waits for its disk; S3 is the tests' double. Round trips are counted by PostgreSQL: the
 * transactions of a node whose statements are transactions by themselves. The processor time of PostgreSQL
 * and Redis has what they do by themselves meanwhile.
 */
import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import sharp from 'sharp'
import { makeArtwork } from '../../engine/bench/artworks.ts'
import { openDatabase } from '../src/database/database.ts'
import { startOwnPostgres } from '../test/servers/postgres.ts'
import { startOwnRedis } from '../test/servers/redis.ts'
import { s3Settings, startS3 } from '../test/servers/s3.ts'
import { importDefaultTemplate } from './default-template.ts'
import { LoadClient } from './load-client.ts'
import { NumberedRequest } from './numbered-request.ts'
import { readProcessTimes } from './process-times.ts'
import { readSampleArtwork, type SpawnedService, spawnService } from './spawned-service.ts'

const { values } = parseArgs({
  options: {
    mockups: { type: 'string', default: '300' },
    'default-mockups': { type: 'string', default: '40' },
    rounds: { type: 'string', default: '5' },
    'at-least': { type: 'string', default: '0.9' },
  },
})
const IN_FLIGHT = 8
const sizes = {
  small: { fields: { width: '300' }, isNew: false, isKeyed: false, count: Number(values.mockups) },
  keyed: { fields: { width: '300' }, isNew: false, isKeyed: true, count: Number(values.mockups) },
  default: { fields: {}, isNew: true, isKeyed: false, count: Number(values['default-mockups']) },
} as const
type Size = keyof typeof sizes

const small = await sharp(await readSampleArtwork())
  .resize(400)
  .jpeg({ quality: 80 })
  .toBuffer()
const pictures: Readonly<Record<Size, Buffer>> = {
  small,
  keyed: small,
  default: Buffer.from(await makeArtwork(3000, 4500, 'jpeg')),
}

/** A service with a customer for each request under way, and what its mockups cost so far. */
class Node {
  readonly #service: SpawnedService
  readonly #client: LoadClient
  readonly #requests: Readonly<Record<Size, readonly NumberedRequest[]>>
  #sent = 0

  static async open(service: SpawnedService): Promise<Node> {
    const template_id = await importDefaultTemplate(service)
    const keys: string[] = []
    for (let i = 0; i < IN_FLIGHT; i++) keys.push((await service.customer(1_000_000)).key)
    const build = (size: Size) =>
      keys.map(key => {
        const fields = { template_id, ...sizes[size].fields }
        return new NumberedRequest({ key, picture: pictures[size], fields, isKeyed: sizes[size].isKeyed })
      })
    return new Node(service, { small: build('small'), keyed: build('keyed'), default: build('default') })
  }

  private constructor(service: SpawnedService, requests: Readonly<Record<Size, readonly NumberedRequest[]>>) {
    this.#service = service
    this.#client = new LoadClient(service.url)
    this.#requests = requests
  }

  /** Processor time of one mockup, in milliseconds. */
  async measure(size: Size, count: number): Promise<{ serviceMs: number; renderMs: number }> {
    const pid = this.#service.process.pid ?? 0
    const before = readProcessTimes(pid)
    let left = count
    const keepSending = async (request: NumberedRequest): Promise<void> => {
      while (left-- > 0) {
        if (sizes[size].isNew) request.setNumber(this.#sent++)
        if (sizes[size].isKeyed) request.setKeyNumber(this.#sent++)
        const { status, fault } = await this.#client.send(request.bytes)
        if (status !== 200) throw new Error(`Expected 200 but received ${status} ${fault ?? ''}`)
      }
    }
    await Promise.all(this.#requests[size].map(keepSending))
    const after = readProcessTimes(pid)
    return {
      serviceMs: (after.ownMs - before.ownMs) / count,
      renderMs: (after.childrenMs - before.childrenMs) / count,
    }
  }

  close(): void {
    this.#client.close()
  }
}

await using stack = new AsyncDisposableStack()
const postgres = await startOwnPostgres({ isDurable: true })
stack.defer(() => postgres.stop())
const redis = await startOwnRedis()
stack.defer(() => redis.stop())
const s3 = await startS3()
stack.defer(() => s3.stop())
const limits = { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '100000000', RENDER_WORKERS: '2' }

/** A data folder whose first start leaves the starter pack out: it takes minutes on a busy machine. */
async function prepareFolder(databaseUrl?: string): Promise<string> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'vitrine-engines-'))
  const database = await openDatabase({ dataDir, databaseUrl })
  await database.migrate()
  await database.queries.insertInto('first_run_steps').values({ step: 'templates', done_at_ms: Date.now() }).execute()
  await database.close()
  return dataDir
}

const embedded = stack.use(await spawnService(limits, await prepareFolder()))
const engineSettings = {
  DATABASE_URL: postgres.url,
  REDIS_URL: redis.url,
  ...s3Settings(s3, 'bench'),
  AUTH_SECRET: 'a'.repeat(32),
  PUBLIC_URL: 'http://localhost',
}
const shared = stack.use(await spawnService({ ...limits, ...engineSettings }, await prepareFolder(postgres.url)))
const nodes = { embedded: await Node.open(embedded), shared: await Node.open(shared) }
const engines = ['embedded', 'shared'] as const
type Engine = (typeof engines)[number]
stack.defer(() => {
  for (const engine of engines) nodes[engine].close()
})
const statistics = stack.adopt(new Client({ connectionString: postgres.url }), client => client.end())
await statistics.connect()

/** Transactions of the database so far; its own look is one more. */
async function countTransactions(): Promise<number> {
  // A server process reports what it has done within a second of its end.
  await new Promise(resolve => setTimeout(resolve, 2_000))
  const { rows } = await statistics.query<{ count: string }>(
    'select sum(xact_commit + xact_rollback) as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.count)
}

/** Processor time of a server and its processes so far, in milliseconds. */
async function readServerMs(pid: number): Promise<number> {
  const { ownMs, childrenMs } = readProcessTimes(pid)
  return ownMs + childrenMs
}

/** Processor time of the service without a key, in milliseconds a mockup. */
const unkeyedMs: Partial<Record<Engine, number>> = {}
for (const size of ['small', 'keyed', 'default'] as const) {
  const { count } = sizes[size]
  const costs: Record<Engine, number[]> = { embedded: [], shared: [] }
  const parts: Record<Engine, number[]> = { embedded: [], shared: [] }
  const servers = { PostgreSQL: postgres.pid(), Redis: redis.pid() }
  const serversMs: Record<keyof typeof servers, number> = { PostgreSQL: 0, Redis: 0 }
  for (const engine of engines) await nodes[engine].measure(size, Math.ceil(count / 2))
  const before = await countTransactions()
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const engine of round % 2 === 0 ? engines : engines.toReversed()) {
      const beforeMs = { PostgreSQL: await readServerMs(servers.PostgreSQL), Redis: await readServerMs(servers.Redis) }
      const { serviceMs, renderMs } = await nodes[engine].measure(size, count)
      if (engine === 'shared') {
        serversMs.PostgreSQL += (await readServerMs(servers.PostgreSQL)) - beforeMs.PostgreSQL
        serversMs.Redis += (await readServerMs(servers.Redis)) - beforeMs.Redis
      }
      costs[engine].push(serviceMs + renderMs)
      parts[engine].push(serviceMs)
    }
  }
  const transactions = ((await countTransactions()) - before) / (count * Number(values.rounds))
  const ratio = median(costs.embedded) / median(costs.shared)
  for (const engine of engines) {
    const serviceMs = median(parts[engine])
    if (size === 'small') unkeyedMs[engine] = serviceMs
    const added =
      size === 'keyed' ? `, ${(serviceMs - (unkeyedMs[engine] ?? 0)).toFixed(2)} more than without a key` : ''
    console.log(
      `${size}, ${engine}: ${median(costs[engine]).toFixed(2)} ms of processor time a mockup, of which the service ${serviceMs.toFixed(2)}${added}`,
    )
  }
  const each = (totalMs: number) => (totalMs / (count * Number(values.rounds))).toFixed(2)
  console.log(
    `${size}, servers: PostgreSQL ${each(serversMs.PostgreSQL)} ms of processor time a mockup, Redis ${each(serversMs.Redis)}`,
  )
  console.log(
    `${size}: throughput by processor time ${(100 * ratio).toFixed(1)} % of embedded; ${transactions.toFixed(2)} transactions of PostgreSQL a mockup`,
  )
  if (size === 'small' && ratio < Number(values['at-least'])) process.exitCode = 1
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
