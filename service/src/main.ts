import { createServer } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { openDashboard } from './dashboard/open-dashboard.ts'
import { DatabaseRefusedError } from './database/database-error.ts'
import { defaultDeadlines, type HttpDeadlines } from './http/deadlines.ts'
import { systemCodeOf } from './http/error-mapping.ts'
import { ServicePhase } from './http/service-phase.ts'
import { createLogger } from './observability/logger.ts'
import type { StripeApi } from './payments/payments.ts'
import { type OptionsForTests, openServices, type Services } from './services.ts'
import { type Settings, SettingsError } from './settings/load-settings.ts'
import { noteAddress } from './settings/noted-address.ts'
import { takeProcessSettings } from './settings/process-environment.ts'
import { listeningUrlOf } from './settings/public-url.ts'

/** Time for requests in progress to finish when the service stops. compose.yaml kills it after 30 s. */
const DRAIN_MS = 18_000

/** Time for a proxy to poll `/readyz` and send new requests elsewhere. */
const SEVERAL_NODES_DELAY_S = 5

/** Interval at which idle connections are closed while the service stops. */
const IDLE_CLOSE_MS = 50

/** Timeout of the whole stop, including the database and storage: the process's supervisor waits 30 s. */
const STOP_MAX_MS = 24_000

/** A second Ctrl-C within this time is taken for the same one. */
const SAME_SIGNAL_MS = 2_000

/** The exit code after an unexpected failure (EX_SOFTWARE): bin/vitrine.js restarts the service. */
const FAILED_CODE = 70

/** Limits log lines if more failures follow while it stops. */
const LOGGED_FAILURES_MAX = 20

/** Connections that may wait to be accepted: Linux's default. Clients beyond it may be reset. */
const BACKLOG = 4096

/** The service cannot start as configured; the message is one sentence for the operator. */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError'
}

export type RunningService = {
  readonly app: FastifyInstance
  readonly services: Services
  /** The listening address, as a URL. */
  readonly url: string
  /**
   * Accepts no new work, waits up to 18 s for requests in progress, then closes everything. For `leavingMs`
   * before that, it reports that it is not ready but still serves. May be called again.
   */
  close(leavingMs?: number): Promise<void>
}

export type StartOptions = {
  readonly logger?: Logger
  /** Shortened by tests. */
  readonly deadlines?: HttpDeadlines
  /** Another address of the Stripe API is for tests. */
  readonly stripeApi?: StripeApi
  readonly forTests?: OptionsForTests
  /** Runs when the service is listening, before it reports that it is ready. */
  readonly prepare?: (services: Services) => Promise<void>
}

/**
 * Starts the whole service: database, recovery after a dead process, render processes, HTTP.
 *
 * @throws {StartRefusedError} with one sentence for the operator
 * @throws {DatabaseRefusedError} with one sentence for the operator
 */
export async function startService(wanted: Settings, options: StartOptions = {}): Promise<RunningService> {
  const { logger = createLogger(wanted.LOG_LEVEL), deadlines = defaultDeadlines } = options
  const settings = { ...wanted, PORT: await findPort(wanted) }
  const services = await openServices(settings, logger, options.forTests)
  const phase = new ServicePhase()
  let app: FastifyInstance | null = null
  try {
    app = await createApp(services, settings, { logger, deadlines, phase })
    await openDashboard(app, services, settings, {
      logger,
      deadlines,
      ...(options.stripeApi === undefined ? {} : { stripeApi: options.stripeApi }),
    })
    const { HOST: host, PORT: port } = settings
    await app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
      throw cannotListen(error, host, port)
    })
    await options.prepare?.(services)
    phase.current = 'serving'
    const note = await noteAddress(settings)
    const url = listeningUrlOf(settings)
    logger.info({ url, dataDir: path.resolve(settings.DATA_DIR) }, 'listening')
    const open = { app, services, phase, note }
    let closing: Promise<void> | null = null
    return { app, services, url, close: (leavingMs = 0) => (closing ??= closeAll(open, leavingMs)) }
  } catch (error) {
    await app?.close()
    await services.close()
    throw error
  }
}

type Open = {
  readonly app: FastifyInstance
  readonly services: Services
  readonly phase: ServicePhase
  readonly note: AsyncDisposable
}

async function closeAll({ app, services, phase, note }: Open, leavingMs: number): Promise<void> {
  if (leavingMs > 0) {
    phase.current = 'leaving'
    await delay(leavingMs)
  }
  const closed = app.close()
  // Connections that become idle during the stop would stay open until their keep-alive ends.
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_CLOSE_MS)
  const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(late)
  await note[Symbol.asyncDispose]()
  await services.close()
}

/**
 * Finds a port to listen on; 0 asks for any. It is determined before anything is created: a refused start
 * leaves nothing behind, and the first start prints addresses with the port.
 */
async function findPort({ HOST, PORT }: Settings): Promise<number> {
  const probe = createServer()
  return new Promise<number>((resolve, reject) => {
    probe.once('error', error => reject(cannotListen(error, HOST, PORT)))
    probe.listen({ host: HOST, port: PORT, exclusive: true }, () => {
      const address = probe.address()
      const port = address !== null && typeof address === 'object' ? address.port : PORT
      probe.close(() => resolve(port))
    })
  })
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = systemCodeOf(error)
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Expected a free port for PORT but ${port} is taken: stop what listens there, or set another PORT.`,
    EACCES: `Expected a port that this user may listen on for PORT but received ${port}: ports below 1024 belong to the system.`,
  }
  const reason = reasons[code] ?? `Expected an address of this machine for HOST but received "${host}" (${code}).`
  return code === '' ? error : new StartRefusedError(reason, { cause: error })
}

/** A node on PostgreSQL may be one of several behind a proxy, which must notice that it is leaving. */
function leavingMsOf({ SHUTDOWN_DELAY_SECONDS, DATABASE_URL }: Settings): number {
  return (SHUTDOWN_DELAY_SECONDS ?? (DATABASE_URL === undefined ? 0 : SEVERAL_NODES_DELAY_S)) * 1000
}

/** The sentences for the operator in an error that refuses a start; null for a defect. */
export function refusalOf(error: unknown): readonly string[] | null {
  if (error instanceof SettingsError) return error.problems
  if (error instanceof StartRefusedError || error instanceof DatabaseRefusedError) return [error.message]
  return null
}

/**
 * Runs the service until it is stopped by SIGTERM, SIGHUP (its terminal is gone) or SIGINT (Ctrl-C, without
 * the delay for proxies), or by an unexpected failure. In each case requests in progress are finished. Ends
 * the process with code 0, or with `FAILED_CODE`.
 *
 * @param options.afterStart runs once the service is serving
 */
export async function serve(
  options: Pick<StartOptions, 'prepare'> & {
    readonly afterStart?: (running: RunningService, settings: Settings) => Promise<void>
  } = {},
): Promise<void> {
  const settings = takeProcessSettings()
  const logger = createLogger(settings.LOG_LEVEL)
  const running = await startService(settings, { ...options, logger })
  // The handlers that bin/vitrine.js set for the duration of the start.
  process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT')
  endWhenAsked(running, leavingMsOf(settings), logger)
  await options.afterStart?.(running, settings)
}

function endWhenAsked(running: RunningService, leavingMs: number, logger: Logger): void {
  let stoppedAtMs: number | null = null
  let failureCount = 0
  const stop = (delayMs: number, code: number) => {
    stoppedAtMs = performance.now()
    process.exitCode = code
    setTimeout(() => {
      logger.error('stopping takes too long: what is still open is left to the next start')
      process.exit()
    }, delayMs + STOP_MAX_MS).unref()
    running.close(delayMs).then(
      () => process.exit(),
      (error: unknown) => {
        logger.error({ err: error }, 'the stop failed')
        process.exit(1)
      },
    )
  }
  const asked = (delayMs: number) => {
    // An operator who stops the service wants no restart.
    if (stoppedAtMs === null) stop(delayMs, 0)
    else process.exitCode = 0
  }
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked(leavingMs))
  process.on('SIGINT', () => {
    // npm forwards the Ctrl-C that the terminal has already sent.
    if (stoppedAtMs !== null && performance.now() - stoppedAtMs > SAME_SIGNAL_MS) process.exit(1)
    asked(0)
  })
  // A closed log output is no reason to exit.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  // Includes unhandled rejections. The process's state is unknown, so it finishes what it can.
  process.on('uncaughtException', (error, origin) => {
    failureCount += 1
    if (failureCount <= LOGGED_FAILURES_MAX) logger.fatal({ err: error, origin }, 'an unexpected failure')
    if (stoppedAtMs === null) stop(0, FAILED_CODE)
  })
}
