import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { ApiError } from '../http/api-error.ts'
import type { ServicePhase } from '../http/service-phase.ts'
import type { Readiness, Services } from '../services.ts'

/** /healthz (the process is alive), /readyz (it can accept work) and /metrics, for monitoring. */
export function operations(
  app: FastifyInstance,
  services: Pick<Services, 'metrics' | 'checkReady' | 'pool'>,
  options: { readonly metricsToken: string | undefined; readonly phase: ServicePhase; readonly logger: Logger },
): void {
  app.get('/healthz', async ({ state }) => {
    state.isProbe = true
    return { status: 'ok' }
  })

  // Null at first: main.ts itself logs that the service has become ready.
  let lastReason: string | null = null
  app.get('/readyz', async ({ state }, reply) => {
    state.isProbe = true
    const { reason, problem } = await readinessOf(services, options.phase)
    if (reason !== lastReason && reason !== null) options.logger.warn({ reason }, 'not ready')
    if (reason !== lastReason && reason === null) options.logger.info('ready')
    lastReason = reason
    const noted = problem === null ? {} : { problem }
    if (reason === null) return { status: 'ready', ...noted }
    // A status for monitoring, not an answer of the interface.
    return reply.code(503).header('Retry-After', '1').send({ status: 'not ready', reason })
  })

  app.get('/metrics', async (request, reply) => {
    const { metricsToken } = options
    const mayRead = metricsToken === undefined ? isLocal(request) : hasToken(request, metricsToken)
    if (!mayRead) throw new ApiError('NOT_FOUND')
    return reply.type(services.metrics.contentType).send(await services.metrics.render())
  })
}

/** Only the process's own state: problems of a shared database must not take out all nodes at once. */
async function readinessOf(
  { checkReady, pool }: Pick<Services, 'checkReady' | 'pool'>,
  phase: ServicePhase,
): Promise<Readiness> {
  if (phase.current !== 'serving') return { reason: phase.current, problem: null }
  if (pool.state.readyCount === 0) return { reason: 'no render process', problem: null }
  return checkReady()
}

/** Any of these shows that a request came through a proxy. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/**
 * Whether a request comes from this machine directly: a proxy without such headers forwards the host name
 * that its client used, or its own name for this service.
 */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? ''
  const isLoopback = address === '::1' || /^(?:::ffff:)?127\./.test(address)
  return isLoopback && isLoopbackHost(headers.host ?? '') && !proxyHeaders.some(name => name in headers)
}

function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host)
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const sha256 = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`))
}
