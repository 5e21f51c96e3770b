import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe } from 'node:test'
import openapi from '@vitrine/contract/openapi.json' with { type: 'json' }
import { z } from 'zod'
import type { DatabaseLocation } from '../../src/database/database.ts'
import { starterImportsFolder, starterPackFolder } from '../../src/first-run/starter-pack.ts'
import { defaultDeadlines, type HttpDeadlines } from '../../src/http/deadlines.ts'
import { type RunningService, startService } from '../../src/main.ts'
import { createLogger } from '../../src/observability/logger.ts'
import type { StripeApi } from '../../src/payments/payments.ts'
import { loadSettings, type Settings } from '../../src/settings/load-settings.ts'
import { sampleArtworkFile } from '../../src/templates/open-template-store.ts'
import { readStoredImport, writeStoredImport } from '../../src/templates/stored-import.ts'
import { writeSmallStarter } from '../mockups/small-starter.ts'
import { readTestTemplates } from '../mockups/test-templates.ts'
import { findKeys, findStoredKeys } from '../servers/found-keys.ts'
import { SharedBySuites } from '../servers/shared-by-suites.ts'
import { findSharedStart } from '../servers/shared-start.ts'
import { createTestLocation } from '../servers/test-database.ts'
import { inspectHere, workHere } from '../templates/inspect-once.ts'
import { DocumentedInterface, type ReceivedAnswer } from './documented-answer.ts'
import { startOrigin, type TestOrigin } from './test-origin.ts'

/** A customer of the service under test. */
export type Customer = {
  readonly accountId: string
  readonly keyId: string
  readonly key: string
}

/** A request to the service under test. */
export type TestRequest = {
  readonly method?: string
  /** Below /api/v1. */
  readonly path?: string
  /** The API key; null sends no Authorization header. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON; bytes and forms as they are. */
  readonly body?: unknown
}

const errorBody = z.looseObject({ error: z.string(), code: z.string() })

/** A complete service on its own database, with an origin of artwork. */
export class TestService {
  readonly running: RunningService
  readonly origin: TestOrigin
  /** Everything that was logged. */
  readonly log: string[]
  readonly dataDir: string
  readonly settings: Settings
  readonly #location: DatabaseLocation
  readonly #remove: () => Promise<void>
  static #interface: DocumentedInterface | null = null
  #customers = 0

  private constructor(parts: {
    running: RunningService
    origin: TestOrigin
    log: string[]
    settings: Settings
    location: DatabaseLocation
    remove: () => Promise<void>
  }) {
    this.running = parts.running
    this.origin = parts.origin
    this.log = parts.log
    this.settings = parts.settings
    this.dataDir = parts.settings.DATA_DIR
    this.#location = parts.location
    this.#remove = parts.remove
  }

  /**
   * Starts a service. `environment` extends or overrides its settings. Its render processes start at the
   * first mockup; at once where a test looks at them before (`rendersLate: false`). It reads bundles in
   * this process, unless limits or damage are the subject (`sandboxesBundles`).
   */
  static async start(
    kind: 'sqlite' | 'postgres',
    options: {
      environment?: Readonly<Record<string, string>>
      deadlines?: Partial<HttpDeadlines>
      stripeApi?: StripeApi
      rendersLate?: boolean
      sandboxesBundles?: boolean
    } = {},
  ): Promise<TestService> {
    // Other locations do not have the objects of the copy.
    const isElsewhere = ['S3_ENDPOINT', 'DATA_DIR', 'DATABASE_URL'].some(name => options.environment?.[name])
    const copied = isElsewhere ? undefined : findSharedStart(kind)
    const { location, remove } = await createTestLocation(kind, copied)
    const origin = await startOrigin()
    const log: string[] = []
    const settings = loadSettings({
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: location.dataDir,
      DATABASE_URL: location.databaseUrl,
      RENDER_WORKERS: '1',
      // Preparing the templates for the next start would take seconds of processor time from the tests.
      PREPARED_CACHE_MIB: '0',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_PER_DAY: '1000000',
      RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '1000000',
      ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.host,
      ...options.environment,
    })
    const running = await startService(settings, {
      logger: createLogger('trace', { write: line => void log.push(line) }),
      deadlines: { ...defaultDeadlines, ...options.deadlines },
      ...(options.stripeApi === undefined ? {} : { stripeApi: options.stripeApi }),
      forTests: {
        rendersLate: options.rendersLate ?? true,
        bundleWork: options.sandboxesBundles === true ? undefined : workHere,
      },
    })
    if (copied === undefined) await running.services.templates.takeOver(await readTestTemplates())
    return new TestService({ running, origin, log, settings, location, remove })
  }

  /** Compiled once per process. `everything-else.test.ts` compares this document with the served one. */
  get interface(): DocumentedInterface {
    return (TestService.#interface ??= new DocumentedInterface(openapi))
  }

  /** Adds starter templates as the first start does. An import would decode them for seconds. */
  async addStarters(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const stored = await readStoredImport(path.join(starterPackFolder, id), path.join(starterImportsFolder, id))
      assert(stored !== null, `${id} is another one by now: "node scripts/import-starter-pack.ts"`)
      await this.running.services.templates.takeOver([stored])
    }
  }

  /** Adds bundles for all accounts. They are inspected in this process: an import starts one for each. */
  async addBundles(...bundles: readonly string[]): Promise<void> {
    for (const from of bundles) {
      await using made = await mkdtempDisposable(path.join(os.tmpdir(), 'vitrine-added-'))
      await writeStoredImport({ from, toFolder: made.path, sampleArtwork: sampleArtworkFile }, inspectHere)
      const stored = await readStoredImport(from, made.path)
      assert(stored !== null)
      await this.running.services.templates.takeOver([stored])
    }
  }

  /** Adds starter templates in a quarter of their width, for all accounts. */
  async addSmallStarters(...ids: readonly string[]): Promise<void> {
    await using parent = await mkdtempDisposable(path.join(os.tmpdir(), 'vitrine-small-'))
    for (const id of ids) await this.addBundles(await writeSmallStarter(parent.path, id))
  }

  /** Imports a starter template in a quarter of its width, for one account. */
  async importSmallStarter(id: string, ownerAccountId: string): Promise<void> {
    await using parent = await mkdtempDisposable(path.join(os.tmpdir(), 'vitrine-small-'))
    const bundle = await writeSmallStarter(parent.path, id)
    await this.running.services.templates.importBundle({ path: bundle, ownerAccountId })
  }

  /** Creates an account with this many credits, and a key. */
  async customer(credits = 1000): Promise<Customer> {
    this.#customers += 1
    const { accounts, apiKeys } = this.running.services
    const { accountId } = await accounts.create({ email: `customer-${this.#customers}@example.com`, credits })
    const { keyId, key } = await apiKeys.create({ accountId, name: 'test' })
    return { accountId, keyId, key }
  }

  /** Sends a request and checks that its answer is documented. */
  async send(request: TestRequest): Promise<ReceivedAnswer> {
    const { method = 'GET', path = '/templates', body } = request
    const isJson =
      body !== undefined && !(body instanceof FormData) && !(body instanceof Uint8Array) && typeof body !== 'string'
    const answer = await fetch(`${this.running.url}/api/v1${path}`, {
      method,
      headers: {
        ...(typeof request.key === 'string' ? { Authorization: `Bearer ${request.key}` } : {}),
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...request.headers,
      },
      ...(body === undefined
        ? {}
        : {
            body: isJson
              ? JSON.stringify(body)
              : body instanceof FormData || typeof body === 'string'
                ? body
                : toBytes(body),
          }),
      redirect: 'error',
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isJsonAnswer = answer.headers.get('content-type')?.startsWith('application/json') === true
    const received: ReceivedAnswer = {
      status: answer.status,
      headers: answer.headers,
      bytes,
      json: isJsonAnswer && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
    }
    if (received.status >= 400) assert.deepEqual(findKeys(bytes.toString('latin1')), [], 'an error shows a key')
    if (method !== 'HEAD') this.interface.assertDocumented(method, path.split('?')[0] ?? '', received)
    return received
  }

  /** POST /mockups/generate. */
  generate(key: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ReceivedAnswer> {
    return this.send({ method: 'POST', path: '/mockups/generate', key, body, headers })
  }

  /** The spendable credits of a key's account, according to the interface. */
  async balance(key: string): Promise<number> {
    const { json } = await this.send({ path: '/billing/balance', key })
    return z.looseObject({ balance_credits: z.int() }).parse(json).balance_credits
  }

  /** For more data than a search for keys can handle. */
  async stopWithoutChecks(): Promise<void> {
    await this.end()
    await this.#remove()
  }

  /** Stops it. Its data folder and database exist until it is disposed of. */
  async end(): Promise<DatabaseLocation> {
    await this.running.close()
    await this.origin.close()
    return this.#location
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
    try {
      // Whatever the tests did: a key must not be in any log line, file or row.
      assert.deepEqual(findKeys(this.log.join('')), [], 'a key was logged')
      assert.deepEqual(await findStoredKeys(this.#location), [], 'a key was stored')
    } finally {
      await this.#remove()
    }
  }
}

function toBytes(body: unknown): Uint8Array<ArrayBuffer> {
  assert(body instanceof Uint8Array)
  return new Uint8Array(body)
}

/** The error of an answer; fails unless it is one. */
export function errorOf({
  json,
  status,
}: ReceivedAnswer): z.infer<typeof errorBody> & { details?: unknown; hint?: unknown } {
  assert(status >= 400, `expected an error but received ${status}`)
  return errorBody.parse(json)
}

type StartOptions = NonNullable<Parameters<typeof TestService.start>[1]>

const startShared = (kind: 'sqlite' | 'postgres', options?: StartOptions) =>
  new SharedBySuites(() => TestService.start(kind, options))

/** The services of this process for suites without options. */
const shared = { sqlite: startShared('sqlite'), postgres: startShared('postgres') }

/** Ordinary runs do on one database what takes long and does not depend on it. */
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

/**
 * Runs the suite once on each database, with a service that all its tests share. A suite with options, even
 * none of them, has a service of its own; the others share theirs with the suites of their process.
 *
 * @param suite its second argument is false where tests may be left out that take long and do not depend on
 *   the database
 */
export function describeContract(
  section: string,
  suite: (use: () => TestService, isWhole: boolean) => void,
  options?: StartOptions,
): void {
  describeOn(['sqlite', 'postgres'], section, suite, options)
}

/** As `describeContract`, for suites that do not depend on the database: ordinary runs use PostgreSQL. */
export function describeOnOneDatabase(
  section: string,
  suite: (use: () => TestService) => void,
  options?: StartOptions,
): void {
  describeOn(isFull ? ['sqlite', 'postgres'] : ['postgres'], section, suite, options)
}

function describeOn(
  kinds: readonly ('sqlite' | 'postgres')[],
  section: string,
  suite: (use: () => TestService, isWhole: boolean) => void,
  options: StartOptions | undefined,
): void {
  for (const kind of kinds) {
    const place = options === undefined ? shared[kind] : startShared(kind, options)
    describe(`${section}, on ${kind}`, () => suite(place.use(), isFull || kind === 'postgres'))
  }
}
