import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../http/api-error.ts'
import { forEveryOrigin } from '../http/cross-origin.ts'
import { serverBusy } from '../http/error-mapping.ts'
import { setRateLimitHeaders } from '../http/rate-limiting.ts'
import { sendSized } from '../http/sized-stream.ts'
import { isAllowedOrigin } from '../publishable-keys/page-origins.ts'
import { PagePacksSpentError } from '../publishable-keys/page-packs.ts'
import type { PublishableKey } from '../publishable-keys/publishable-keys.ts'
import { addressSubject } from '../rate-limits/address-subject.ts'
import type { RateLimit } from '../rate-limits/rate-windows.ts'
import type { RequestLimits } from '../rate-limits/request-limits.ts'
import type { Services } from '../services.ts'
import type { TemplateRecord } from '../templates/template-record.ts'
import { frameResourcesOf } from '../templates/template-resource.ts'
import { serveEmbedProgram } from './embed-program.ts'

const DAY_S = 86_400
const MINUTE_S = 60

/** Loads per client with valid keys: a visitor opens a few pages a minute. */
const LOADS_PER_ADDRESS_PER_MINUTE = 120

/** Browsers cache packs. A pack that changed between its load and its download is requested again. */
const packsPerAddress: readonly RateLimit[] = [{ windowSeconds: MINUTE_S, limit: 2 * LOADS_PER_ADDRESS_PER_MINUTE }]

type EmbedServices = Pick<Services, 'pagePacks' | 'publishableKeys' | 'rateLimiter'>

/**
 * The routes below /embed/v1: what pages of other sites load with a publishable key. Any page may read the
 * answers.
 */
export async function embed(
  app: FastifyInstance,
  services: EmbedServices,
  { limits, publicUrl }: { readonly limits: RequestLimits; readonly publicUrl: string },
): Promise<void> {
  await app.register(
    async scope => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers({ ...forEveryOrigin, 'Cross-Origin-Resource-Policy': 'cross-origin' })
      })

      await serveEmbedProgram(scope)

      scope.get<{ Params: { id: string }; Querystring: { key?: unknown } }>(
        '/templates/:id',
        async (request, reply) => {
          const key = await admitLoad(request, reply, services, limits)
          const record = await findTemplate(services, key, request.params.id)
          const { look, id, name, type, colors } = record
          return {
            id,
            name,
            type,
            ...(look === null ? {} : { ratio: look.widthPx / look.heightPx }),
            frames: frameResourcesOf(record),
            colors,
            bundle: {
              url: `${publicUrl}/embed/v1/bundles/${key.keyId}/${id}/${services.pagePacks.nameOf(record, key)}`,
              width: key.widthPx,
            },
          }
        },
      )

      scope.get<{ Params: { keyId: string; id: string; name: string } }>(
        '/bundles/:keyId/:id/:name',
        async ({ params, state }, reply) => {
          const subject = `packs:${addressSubject(state.clientAddress)}`
          setRateLimitHeaders(await services.rateLimiter.count({ subject, limits: packsPerAddress }), reply)
          const key = await services.publishableKeys.findById(params.keyId)
          if (key === null) throw new ApiError('NOT_FOUND')
          const record = await findTemplate(services, key, params.id)
          // An older version or another look: the page then asks for the newest address.
          if (params.name !== services.pagePacks.nameOf(record, key)) throw new ApiError('NOT_FOUND')
          const file = await services.pagePacks.fileOf(record, key).catch(toServerBusy)
          if (file === null) throw new ApiError('NOT_FOUND')
          await sendPack(reply, file)
        },
      )
    },
    { prefix: '/embed/v1' },
  )
}

/**
 * The key of a load, which is counted. A refused load counts only against the client's address, so that
 * others cannot use up the key's limit.
 *
 * @throws {ApiError} INVALID_PUBLISHABLE_KEY, ORIGIN_NOT_ALLOWED, RATE_LIMIT_EXCEEDED
 */
async function admitLoad(
  request: FastifyRequest<{ Querystring: { key?: unknown } }>,
  reply: FastifyReply,
  { publishableKeys, rateLimiter }: EmbedServices,
  { perAddress }: RequestLimits,
): Promise<PublishableKey> {
  const { query, headers, state } = request
  const client = addressSubject(state.clientAddress)
  const count = async (subject: string, limits: readonly RateLimit[]) =>
    setRateLimitHeaders(await rateLimiter.count({ subject, limits }), reply)
  const text = typeof query.key === 'string' ? query.key : ''
  const key = await publishableKeys.find(text)
  const { origin = null } = headers
  if (key === null) {
    await count(client, perAddress)
    throw new ApiError('INVALID_PUBLISHABLE_KEY', text.startsWith('vt_') ? secretInPage : {})
  }
  if (origin === null || !isAllowedOrigin(origin, key.origins)) {
    await count(client, perAddress)
    throw new ApiError('ORIGIN_NOT_ALLOWED', { details: { origin: origin?.slice(0, 300) ?? null } })
  }
  await count(`loads:${client}`, [{ windowSeconds: MINUTE_S, limit: LOADS_PER_ADDRESS_PER_MINUTE }])
  await count(key.keyId, [{ windowSeconds: DAY_S, limit: key.loadsPerDay }])
  return key
}

const secretInPage = {
  message: 'Expected a publishable key (vtp_...) but received what may be a secret key.',
  hint: 'A secret key never belongs in a page: revoke it, and make a publishable key in the dashboard under "Keys".',
}

/** @throws {ApiError} TEMPLATE_NOT_FOUND */
async function findTemplate({ pagePacks }: EmbedServices, key: PublishableKey, id: string): Promise<TemplateRecord> {
  const record = await pagePacks.findTemplate(key, id)
  if (record === null)
    throw new ApiError('TEMPLATE_NOT_FOUND', {
      hint: 'The publishable key names its templates, or opens all that are shared.',
      details: { missing_template_ids: [id.slice(0, 64)] },
    })
  return record
}

function toServerBusy(error: unknown): never {
  throw error instanceof PagePacksSpentError ? serverBusy(error.retryAfterS) : error
}

async function sendPack(reply: FastifyReply, file: string): Promise<void> {
  const { size } = await stat(file)
  const body = { sizeBytes: size, open: (highWaterMark: number) => createReadStream(file, { highWaterMark }) }
  await sendSized(reply, body, {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
}
