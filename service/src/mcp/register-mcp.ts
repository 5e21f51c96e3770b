import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Turns, TurnsTakenError } from '../account-budget/turns.ts'
import { Vitrine } from '../api-client/client.ts'
import { answerError } from '../dashboard/error-mapping.ts'
import { DashboardError } from '../errors/dashboard-error.ts'
import { ApiError } from '../http/api-error.ts'
import { identifyCaller, requireCaller } from '../http/authentication.ts'
import { serverBusy } from '../http/error-mapping.ts'
import { readJsonBody } from '../http/json-body.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import type { PipelineContext } from '../http/pipeline-context.ts'
import { countRequest } from '../http/rate-limiting.ts'
import { refuseWhenStopping } from '../http/refusals.ts'
import { callerOf } from '../http/request-state.ts'
import { sendWebResponse } from '../http/web-response.ts'
import { PREVIEW_HEADER, type PreviewOrder, type PreviewOrders } from '../mockups/preview-orders.ts'
import { ClientGoneError } from '../received-bytes/body-reader.ts'
import { parseLinkName } from '../routes/picture-links.ts'
import type { Services } from '../services.ts'
import type { MockupSource } from './mockup-source.ts'
import { serviceSource } from './service-source.ts'

/** A call that makes twelve mockups takes as long as twelve requests. */
const CALL_TIMEOUT_MS = 30_000

/** Each call stores the picture that it forwards in its folder, and up to 64 KiB of previews in memory. */
const CALLS_AT_ONCE = 64

/** An assistant calls a few tools at a time. More would take too much of the service's process. */
const CALLS_PER_ACCOUNT = 3

/** Their bodies, of up to 1 MB each, are in memory. */
const WAITING_PER_ACCOUNT = 20

const BUSY_RETRY_S = 2

type McpOptions = Pick<Services, 'folders' | 'templates' | 'previews'> & { readonly publicUrl: string }

/**
 * POST /mcp: the assistants' tools over streamable HTTP, without sessions. The API key is the bearer token;
 * tools make internal requests to the interface with that key, which count and cost like any others.
 */
export async function registerMcp(
  app: FastifyInstance,
  context: PipelineContext,
  { publicUrl, ...own }: McpOptions,
): Promise<void> {
  const { services, limits, phase, deadlines, logger } = context
  const { origin } = new URL(publicUrl)
  const turns = new Turns({
    atOnce: CALLS_AT_ONCE,
    atOncePerOwner: CALLS_PER_ACCOUNT,
    waitingPerOwner: WAITING_PER_ACCOUNT,
  })
  await app.register(async scope => {
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof DashboardError) return answerError(error, request, reply)
      throw error
    })
    // Programs send no Origin. Requests from pages in browsers are refused.
    scope.addHook('onRequest', ({ headers }, _reply, done) => {
      const isForeign = headers.origin !== undefined && headers.origin !== origin
      done(isForeign ? new DashboardError('CROSS_SITE') : undefined)
    })
    scope.addHook('onRequest', identifyCaller(services.apiKeys))
    scope.addHook('onRequest', countRequest(services.rateLimiter, limits))
    scope.addHook('onRequest', requireCaller)
    scope.addHook('onRequest', refuseWhenStopping(phase))
    scope.post('/mcp', async (request, reply) => {
      if (mediaTypeOf(request.headers['content-type']) !== 'application/json')
        throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'Expected JSON for this address.' })
      const parsedBody = await readJsonBody(request, deadlines)
      await turns
        .run(callerOf(request).accountId, () => answerCall(request, reply, parsedBody))
        .catch((error: unknown) => {
          throw error instanceof TurnsTakenError ? serverBusy(BUSY_RETRY_S, error) : error
        })
    })
  })

  const answerCall = async (request: FastifyRequest, reply: FastifyReply, parsedBody: unknown) => {
    if (reply.raw.destroyed) throw new ClientGoneError('The client left before its turn')
    // A large library, loaded with the first call.
    const [{ createMcpHandler }, { createServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./create-server.ts'),
    ])
    using order = own.previews.begin()
    const handler = createMcpHandler(() => createServer(surroundingsOf(request, order)), {
      onerror: error => logger.debug({ err: error }, 'a request of an assistant was refused'),
      keepAliveMs: 0,
    })
    try {
      const answer = await handler.fetch(toWebRequest(request, publicUrl), { parsedBody })
      await sendWebResponse(reply, answer)
    } finally {
      await handler.close()
    }
  }

  const surroundingsOf = (request: FastifyRequest, order: PreviewOrder) => ({
    source: withPreviews(serviceSource(openVitrine(request, order), readThumbnail), order, own.previews),
    files: null,
    folders: own.folders,
    publicUrl,
  })
  const openVitrine = ({ headers, state }: FastifyRequest, { token }: PreviewOrder) =>
    new Vitrine({
      apiKey: headers.authorization?.replace(/^Bearer +/i, '').trim() ?? '',
      baseUrl: publicUrl,
      maxRetries: 0,
      timeoutMs: CALL_TIMEOUT_MS,
      fetch: (input, init) => {
        const marked = new Headers(init?.headers)
        marked.set(PREVIEW_HEADER, token)
        return inject(app, state.clientAddress, new Request(input).url, { ...init, headers: marked })
      },
    })
  const readThumbnail = async (url: string) => {
    const found = await own.templates.openThumbnail(new URL(url).pathname)
    if (found === null) return null
    const parts: Uint8Array[] = []
    for await (const part of found.content) parts.push(part)
    return Buffer.concat(parts)
  }
}

/** Adds the previews made by render processes to mockups; a repeated call has one while it is retained. */
function withPreviews(source: MockupSource, order: PreviewOrder, previews: PreviewOrders): MockupSource {
  return {
    ...source,
    async make(asked) {
      order.bytesMax = asked.previewBytesMax
      const made = await source.make(asked)
      const name = made.url === null ? '' : (new URL(made.url).pathname.split('/').at(-2) ?? '')
      const link = parseLinkName(name)
      const preview = link === null ? null : previews.previewOf(link.id)
      return { ...made, sizeBytes: order.mockupBytes, preview }
    },
  }
}

/** Sends an internal request to the interface, on behalf of the outer request's client. */
async function inject(
  app: FastifyInstance,
  remoteAddress: string,
  url: string,
  init: RequestInit | undefined,
): Promise<Response> {
  const { pathname, search } = new URL(url)
  const answer = await app.inject({
    method: init?.method === 'POST' ? 'POST' : 'GET',
    url: pathname + search,
    headers: Object.fromEntries(new Headers(init?.headers)),
    remoteAddress,
    // Over HTTP artwork is given by URL, so bodies are JSON.
    ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
    ...(init?.signal ? { signal: init.signal } : {}),
    // Otherwise the picture would also be converted to a string.
    payloadAsStream: true,
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value))
  return new Response(Readable.toWeb(answer.stream()), { status: answer.statusCode, headers })
}

function toWebRequest({ headers, url }: FastifyRequest, publicUrl: string): Request {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (name !== 'authorization' && typeof value === 'string') copied.set(name, value)
  return new Request(new URL(url, publicUrl), { method: 'POST', headers: copied })
}
