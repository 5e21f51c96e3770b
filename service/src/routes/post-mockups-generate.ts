import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppServices } from '../app-services.ts'
import type { SizedBody } from '../http/answer-sender.ts'
import { ApiError } from '../http/api-error.ts'
import { ClientGoneError } from '../http/body-reader.ts'
import type { HttpDeadlines } from '../http/deadlines.ts'
import { readJsonBody } from '../http/json-body.ts'
import { readMultipartForm } from '../http/multipart-form.ts'
import { shown } from '../http/received-value.ts'
import { continueBody } from '../http/request-lifecycle.ts'
import { callerOf, type RequestState, requestState } from '../http/request-state.ts'
import type { KeptAnswer } from '../idempotency/idempotency.ts'
import type { Place } from '../mockups/admissions.ts'
import type { Generation } from '../mockups/generate-mockups.ts'
import type { PrivateFolder } from '../mockups/private-folders.ts'
import { fieldsOfJson, fieldsOfMultipart, mediaTypeOf, unsupportedMediaType } from './generate-fields.ts'
import { type GenerateFields, type GenerateParameters, parseGenerateParameters } from './generate-parameters.ts'
import { buildAnswer } from './generated-answer.ts'
import { GenerationPlaces } from './generation-places.ts'
import { idempotencyKeyOf, type KeptHeader, keepAnswer, keptAnswerGone, parseKeptHeader } from './kept-answer.ts'

/** What a generation needs of the service. */
export type MockupServices = Pick<AppServices, 'pool' | 'generator' | 'folders' | 'wallet' | 'storage'>

/** POST /mockups/generate: artwork in, finished mockups out. */
export function postMockupsGenerate(
  app: FastifyInstance,
  services: MockupServices,
  deadlines: HttpDeadlines,
  places: GenerationPlaces = new GenerationPlaces(services.pool),
): void {
  app.route({
    method: 'POST',
    url: '/mockups/generate',
    // Overload is answered here, before a byte of the body is read, where it was not at the front door.
    onRequest: (request, reply, done) => {
      places.enter(request.raw, reply.raw)
      done()
    },
    handler: async (request, reply) => {
      const place = places.of(request.raw)
      await using folder = new LazyFolder(services.folders)
      await generate(request, reply, { ...services, deadlines, place, folder })
    },
  })
}

/** The private folder of a request, made when the first file needs it. */
class LazyFolder implements AsyncDisposable {
  readonly #folders: MockupServices['folders']
  #folder: PrivateFolder | null = null

  constructor(folders: MockupServices['folders']) {
    this.#folders = folders
  }

  async open(): Promise<PrivateFolder> {
    this.#folder ??= await this.#folders.create()
    return this.#folder
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#folder?.[Symbol.asyncDispose]()
  }
}

type Context = MockupServices & {
  readonly deadlines: HttpDeadlines
  readonly place: Place
  readonly folder: LazyFolder
}

/** Generates and sends; returns when the answer has left, or its client. */
async function generate(request: FastifyRequest, reply: FastifyReply, context: Context): Promise<void> {
  const state = requestState(request.raw)
  const parameters = parseGenerateParameters(await readFields(request, reply, context))
  const key = idempotencyKeyOf(request)
  const caller = callerOf(request.raw)
  const { format, quality, widthPx, templateIds, artwork } = parameters
  const { requestId } = state
  // They go to the log before anybody knows whether they are ids at all.
  state.templateIds = templateIds.map(shown)
  const outcome = await context.generator.generate(
    {
      ...caller,
      requestId,
      templateIds,
      artwork,
      output: { format, quality, widthPx },
      folder: await context.folder.open(),
      place: context.place,
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
  else await sendGenerated(reply, state, parameters, outcome)
}

function sendGenerated(
  reply: FastifyReply,
  state: RequestState,
  parameters: GenerateParameters,
  generation: Generation,
): Promise<void> {
  state.stages = generation.stages
  state.decodedBy = generation.mockups.flatMap(mockup => mockup.decodedBy)
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
  const state = requestState(request.raw)
  state.isReplayed = true
  // No mockup was made: the statistics count it where it was.
  state.templateIds = []
  const { spendableCredits } = await context.wallet.balance(callerOf(request.raw).accountId)
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

function sendMockups(reply: FastifyReply, body: SizedBody, header: AnswerHeader): Promise<void> {
  if (header.templateId !== null) reply.header('X-Template-Id', header.templateId)
  return reply
    .header('X-Duration-Ms', String(header.durationMs))
    .header('X-Credits-Used', String(header.creditsUsed))
    .header('X-Credits-Remaining', String(header.creditsRemaining))
    .type(header.contentType)
    .sendSized(body)
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
    const folder = async () => (await context.folder.open()).path
    // What two requests with one Idempotency-Key must have in common outlives this process; nothing else asks for it.
    const isHashed = headers['idempotency-key'] !== undefined
    return fieldsOfMultipart(await readMultipartForm(request.raw, context.deadlines, { folder, isHashed }))
  }
  throw unsupportedMediaType(headers['content-type'])
}
