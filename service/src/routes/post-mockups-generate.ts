import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admitRequest } from '../http/admission.ts'
import { ApiError } from '../http/api-error.ts'
import { ClientGoneError } from '../http/body-reader.ts'
import type { HttpDeadlines } from '../http/deadlines.ts'
import { continueBody } from '../http/expect-continue.ts'
import { readJsonBody } from '../http/json-body.ts'
import { readMultipartForm } from '../http/multipart-form.ts'
import { shown } from '../http/received-value.ts'
import { callerOf, permitOf } from '../http/request-state.ts'
import { serverTiming } from '../http/server-timing.ts'
import { type SizedBody, sendSized } from '../http/sized-stream.ts'
import type { KeptAnswer } from '../idempotency/idempotency.ts'
import type { Generation } from '../mockups/generate-mockups.ts'
import type { PrivateFolder } from '../mockups/private-folders.ts'
import type { Services } from '../services.ts'
import { fieldsOfJson, fieldsOfMultipart, mediaTypeOf, unsupportedMediaType } from './generate-fields.ts'
import { type GenerateFields, type GenerateParameters, parseGenerateParameters } from './generate-parameters.ts'
import { buildAnswer } from './generated-answer.ts'
import { idempotencyKeyOf, type KeptHeader, keepAnswer, keptAnswerGone, parseKeptHeader } from './kept-answer.ts'

/** What a generation needs of the service. */
export type MockupServices = Pick<Services, 'pool' | 'generator' | 'folders' | 'wallet' | 'storage'>

/** POST /mockups/generate: artwork in, finished mockups out. */
export function postMockupsGenerate(app: FastifyInstance, services: MockupServices, deadlines: HttpDeadlines): void {
  app.route({
    method: 'POST',
    url: '/mockups/generate',
    onRequest: admitRequest(services.pool),
    handler: async (request, reply) => {
      await using folder = await services.folders.create()
      await generate(request, reply, { ...services, deadlines, folder })
    },
  })
}

type Context = MockupServices & {
  readonly deadlines: HttpDeadlines
  /** The private folder of the request, with its uploads, downloads and mockups. */
  readonly folder: PrivateFolder
}

/** Generates and sends; returns when the response has closed. */
async function generate(request: FastifyRequest, reply: FastifyReply, context: Context): Promise<void> {
  const { id: requestId, state } = request
  const parameters = parseGenerateParameters(await readFields(request, reply, context))
  const key = idempotencyKeyOf(request)
  const caller = callerOf(request)
  const { format, quality, widthPx, templateIds, artwork } = parameters
  // As received: the log has them whether or not such templates exist.
  state.templateIds = templateIds.map(shown)
  const outcome = await context.generator.generate(
    {
      ...caller,
      requestId,
      templateIds,
      artwork,
      output: { format, quality, widthPx },
      folder: context.folder,
      permit: permitOf(request),
      keep:
        key === null
          ? undefined
          : keepAnswer({ key, accountId: caller.accountId, requestId, parameters, storage: context.storage }),
    },
    leavingSignal(reply),
    credits => {
      state.creditsConsumed = credits.consumed
      state.creditsRefunded = credits.refunded
    },
  )
  if (outcome.kind === 'replay') await sendKept(request, reply, outcome.kept, context)
  else await sendGenerated(request, reply, parameters, outcome)
}

function sendGenerated(
  { state }: FastifyRequest,
  reply: FastifyReply,
  parameters: GenerateParameters,
  generation: Generation,
): Promise<void> {
  state.stages = generation.stages
  state.decodedBy = generation.mockups.flatMap(mockup => mockup.decodedBy)
  reply.header('Server-Timing', serverTiming(generation.stages))
  const answer = buildAnswer(parameters, generation)
  const [templateId] = parameters.templateIds
  return sendMockups(reply, answer, {
    contentType: answer.contentType,
    templateId: parameters.isBatch ? null : (templateId ?? null),
    durationMs: generation.durationMs,
    creditsUsed: generation.creditsUsed,
    creditsRemaining: generation.spendableCredits,
  })
}

/** Delivers the answer of an earlier, equal request again, without a charge. */
async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  kept: KeptAnswer,
  context: Context,
): Promise<void> {
  const body = await context.storage.open(kept.bodyObjectKey)
  if (body === null) throw keptAnswerGone()
  const { state } = request
  state.isReplayed = true
  // No mockup was made: the statistics counted it with the request that made it.
  state.templateIds = []
  const { spendableCredits } = await context.wallet.balance(callerOf(request).accountId)
  reply.header('Idempotency-Replayed', 'true')
  const sized: SizedBody = { sizeBytes: kept.sizeBytes, open: () => body.content }
  await sendMockups(reply, sized, {
    ...parseKeptHeader(kept),
    creditsUsed: 0,
    creditsRemaining: spendableCredits,
  })
}

type AnswerHeader = KeptHeader & {
  readonly creditsUsed: number
  readonly creditsRemaining: number
}

async function sendMockups(reply: FastifyReply, body: SizedBody, header: AnswerHeader): Promise<void> {
  if (header.templateId !== null) reply.header('X-Template-Id', header.templateId)
  reply
    .header('X-Duration-Ms', String(header.durationMs))
    .header('X-Credits-Used', String(header.creditsUsed))
    .header('X-Credits-Remaining', String(header.creditsRemaining))
    .type(header.contentType)
  // The files of the request are needed until its answer is sent.
  await sendSized(reply, body)
}

/** Aborts when the client leaves before its answer is complete. */
function leavingSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientGoneError('The client left before its answer'))
  })
  return controller.signal
}

async function readFields(request: FastifyRequest, reply: FastifyReply, context: Context): Promise<GenerateFields> {
  const { headers } = request
  const mediaType = mediaTypeOf(headers['content-type'])
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
      message: `Expected a body without Content-Encoding but received ${JSON.stringify(encoding.slice(0, 100))}.`,
    })
  if (mediaType === 'application/json') {
    continueBody(request, reply)
    return fieldsOfJson(await readJsonBody(request.raw, context.deadlines))
  }
  if (mediaType === 'multipart/form-data') {
    continueBody(request, reply)
    const folder = async () => context.folder.path
    // Equal requests with one Idempotency-Key are recognized by the SHA-256 of their uploads.
    const isHashed = headers['idempotency-key'] !== undefined
    return fieldsOfMultipart(await readMultipartForm(request.raw, context.deadlines, { folder, isHashed }))
  }
  throw unsupportedMediaType(headers['content-type'])
}
