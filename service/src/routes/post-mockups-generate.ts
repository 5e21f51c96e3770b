import { readFile } from 'node:fs/promises'
import { outputFormatNames, outputFormats } from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountBudget } from '../account-budget/account-budget.ts'
import { admitRequest } from '../http/admit-request.ts'
import { ApiError } from '../http/api-error.ts'
import type { HttpDeadlines } from '../http/deadlines.ts'
import { continueBody } from '../http/expect-continue.ts'
import { readJsonBody } from '../http/json-body.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import { FORM_BYTES_MAX, readMultipartForm } from '../http/multipart-form.ts'
import { shown } from '../http/received-value.ts'
import { admissionOf, callerOf } from '../http/request-state.ts'
import { serverTiming } from '../http/server-timing.ts'
import { type SizedBody, sendSized } from '../http/sized-stream.ts'
import type { SavedAnswer } from '../idempotency/idempotency.ts'
import type { Generation } from '../mockups/generate-mockups.ts'
import { GenerationError } from '../mockups/generation-error.ts'
import { PREVIEW_HEADER, type PreviewOrder } from '../mockups/preview-orders.ts'
import { previewFileOf } from '../mockups/render-job.ts'
import { ClientGoneError } from '../received-bytes/body-reader.ts'
import type { Services } from '../services.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { PrivateFolder } from '../storage/private-folders.ts'
import { fieldsOfJson, fieldsOfMultipart, unsupportedMediaType } from './generate-fields.ts'
import { type GenerateFields, parseGenerateParameters } from './generate-parameters.ts'
import { type AnswerHeader, buildAnswer } from './generated-answer.ts'
import { fileNameOf, linkExpiry, linkOf, makeLinks, type NewLinks, pictureDisposition } from './picture-links.ts'
import { idempotencyKeyOf, parseSavedHeader, saveAnswer } from './saved-answer.ts'
import { checkTemplateHeader } from './template-header.ts'

/** The services that a generation needs. */
export type MockupServices = Pick<
  Services,
  'pool' | 'budget' | 'generator' | 'folders' | 'wallet' | 'storage' | 'diskRoom' | 'clock' | 'previews'
>

/** A picture that was sent, while its file still exists. */
export type SentMockup = {
  readonly accountId: string
  readonly templateId: string
  readonly mediaType: string
  /** The Idempotency-Key of the request. */
  readonly key: string | null
  readonly sizeBytes: number
  readonly open: SizedBody['open']
}

/** The route's options; `publicUrl` is the start of the pictures' URLs. */
export type GenerateOptions = {
  readonly deadlines: HttpDeadlines
  readonly publicUrl: string
  /** Called when an answer that is a single picture has been sent. Never throws. */
  readonly onSent?: (request: FastifyRequest, sent: SentMockup) => Promise<void>
}

/** POST /mockups/generate: makes mockups of artwork. */
export function postMockupsGenerate(app: FastifyInstance, services: MockupServices, options: GenerateOptions): void {
  app.route({
    method: 'POST',
    url: '/mockups/generate',
    onRequest: admitRequest(services),
    handler: async (request, reply) => {
      await using folder = await services.folders.create()
      await generate(request, reply, { ...services, ...options, folder })
    },
  })
}

type Context = MockupServices &
  GenerateOptions & {
    /** Contains the uploads, downloads and mockups of the request. */
    readonly folder: PrivateFolder
  }

/** Generates and sends; resolves when the response has closed. */
async function generate(request: FastifyRequest, reply: FastifyReply, context: Context): Promise<void> {
  const { id: requestId, state } = request
  const admission = admissionOf(request)
  const fields = await readFields(request, reply, context)
  const permit = admission.takePermit()
  const parameters = parseGenerateParameters(fields)
  checkTemplateHeader(request, parameters.templateIds)
  const key = idempotencyKeyOf(request)
  const caller = callerOf(request)
  const work = context.budget.beginWork(caller.accountId)
  const { format, quality, widthPx, templateIds, artwork, placement, placements = [], colors = [] } = parameters
  const links = key === null ? null : makeLinks(templateIds.length, context.clock(), context.publicUrl)
  const save =
    key === null || links === null
      ? undefined
      : saveAnswer({ ...caller, key, requestId, parameters, links, storage: context.storage })
  const order = context.previews.orderOf(request.headers[PREVIEW_HEADER])
  // For the log, even if there are no such templates.
  state.templateIds = templateIds.map(shown)
  const generation = context.generator.generate(
    {
      ...caller,
      requestId,
      templateIds,
      artwork,
      placements: { all: placement, byFrame: placements },
      colors,
      output: { format, quality, widthPx, ...(order === null ? {} : { previewBytesMax: order.bytesMax }) },
      folder: context.folder,
      startedAtMs: state.startedMs,
      permit,
      onAdmitted: () => admission.arrival.complete(),
      work,
      save,
    },
    leavingSignal(reply),
    credits => {
      state.creditsConsumed = credits.consumed
      state.creditsRefunded = credits.refunded
    },
  )
  const outcome = await generation.catch((error: unknown) => {
    noteFunds(error, caller.accountId, context.budget)
    throw error
  })
  if (outcome.kind === 'replay') {
    await sendSaved(request, reply, outcome.saved, { ...context, order })
    const { sizeBytes, bodyObjectKey } = outcome.saved
    const open = () => contentOf(context.storage, bodyObjectKey)
    await noteSent(request, context, { ...parseSavedHeader(outcome.saved), sizeBytes, open })
    return
  }
  context.budget.noteSpendable(caller.accountId, outcome.spendableCredits)
  if (order !== null && links !== null) await retainPreview(outcome, links, context)
  const giveBack = async () => {
    // A saved answer stays charged: it can be fetched again with its key.
    if (key !== null) return
    work.fail()
    await context.wallet.refund(outcome.reservationId, { reason: 'the answer could not be sent' })
    state.creditsConsumed = 0
    state.creditsRefunded = outcome.creditsUsed
  }
  try {
    const stored = save?.takeBody() ?? null
    const built = buildAnswer(parameters, outcome, links)
    const answer = { ...built, ...(stored && { open: () => inOnePiece(stored) }) }
    const isRead = await sendGenerated(request, reply, answer, outcome, { ...context, order })
    if (!isRead) await giveBack()
    else await noteSent(request, context, built)
  } catch (error) {
    // An error answer is free of charge.
    if (!reply.raw.headersSent) await giveBack()
    throw error
  }
}

/** Retains the preview, if there is one, for the assistant whose call this request is part of. */
async function retainPreview({ mockups }: Generation, { id }: NewLinks, { previews }: Context): Promise<void> {
  const [mockup] = mockups
  const preview = mockup && (await readFile(previewFileOf(mockup.file)).catch(() => null))
  if (preview) previews.retain(id, preview)
}

/** Reports an answer that is a single picture. */
async function noteSent(
  request: FastifyRequest,
  { onSent }: Context,
  { templateId, contentType: mediaType, sizeBytes, open }: AnswerHeader & SizedBody,
): Promise<void> {
  if (onSent === undefined || templateId === null || !mediaType.startsWith('image/')) return
  const { accountId } = callerOf(request)
  await onSent(request, { accountId, templateId, mediaType, key: idempotencyKeyOf(request), sizeBytes, open })
}

async function* contentOf(storage: ObjectStorage, objectKey: string): AsyncGenerator<Uint8Array> {
  const body = await storage.open(objectKey)
  if (body === null) throw new Error('The stored answer has just reached its age limit')
  yield* body.content
}

async function* inOnePiece(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body
}

/** Updates the cached knowledge of the account's credits from an error. */
function noteFunds(error: unknown, accountId: string, budget: AccountBudget): void {
  if (error instanceof GenerationError && error.failure.kind === 'insufficient-credits')
    budget.noteSpendable(accountId, error.failure.spendableCredits)
}

async function sendGenerated(
  { state }: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerHeader & SizedBody,
  generation: Generation,
  context: SendContext,
): Promise<boolean> {
  state.stages = generation.stages
  state.decodedBy = generation.mockups.flatMap(mockup => mockup.decodedBy)
  const headers = {
    ...mockupHeaders(answer, generation.creditsUsed, generation.spendableCredits, context),
    'Server-Timing': serverTiming(generation.stages),
  }
  if (context.order !== null) return sendHeaders(reply, context.order, answer.sizeBytes, headers)
  return sendSized(reply, answer, headers)
}

type AnswerHeaders = Readonly<Record<string, string | number>>

type SendContext = Context & { readonly order: PreviewOrder | null }

/** Answers a call of an assistant, which needs the size of the picture but not its bytes. */
async function sendHeaders(reply: FastifyReply, order: PreviewOrder, sizeBytes: number, headers: AnswerHeaders) {
  order.mockupBytes = sizeBytes
  await reply.headers(headers).send(Buffer.alloc(0))
  return true
}

/** Sends the answer of an earlier identical request again, without a charge. */
async function sendSaved(
  request: FastifyRequest,
  reply: FastifyReply,
  saved: SavedAnswer,
  context: SendContext,
): Promise<void> {
  const { spendableCredits } = await context.wallet.balance(callerOf(request).accountId)
  const { state } = request
  const headers = {
    ...mockupHeaders(parseSavedHeader(saved), 0, spendableCredits, context),
    'Idempotency-Replayed': 'true',
  }
  const noteReplay = () => {
    state.isReplayed = true
    // The mockup was counted with the request that made it.
    state.templateIds = []
  }
  if (context.order !== null) {
    noteReplay()
    await sendHeaders(reply, context.order, saved.sizeBytes, headers)
    return
  }
  const body = await context.storage.open(saved.bodyObjectKey)
  // The answer has just expired; the next attempt starts again.
  if (body === null) throw new GenerationError({ kind: 'idempotency-conflict' })
  noteReplay()
  await sendSized(reply, { sizeBytes: saved.sizeBytes, open: () => body.content }, headers)
}

function mockupHeaders(header: AnswerHeader, creditsUsed: number, creditsRemaining: number, { publicUrl }: Context) {
  return {
    'Content-Type': header.contentType,
    ...(header.templateId === null ? {} : { 'X-Template-Id': header.templateId }),
    ...contentDisposition(header),
    'X-Duration-Ms': header.durationMs,
    ...(header.artworkDensity === null ? {} : { 'X-Artwork-Density': header.artworkDensity }),
    'X-Credits-Used': creditsUsed,
    'X-Credits-Remaining': creditsRemaining,
    ...linkHeaders(header, publicUrl),
  }
}

/** The header with the picture's URL for a single template; a batch has them in its body. */
function linkHeaders({ templateId, links }: AnswerHeader, publicUrl: string): Readonly<Record<string, string>> {
  const [picture] = links?.pictures ?? []
  if (templateId === null || links === null || picture === undefined) return {}
  return {
    'X-Mockup-Url': linkOf(links, 0, { publicUrl, fileName: fileNameOf(picture) }),
    'X-Mockup-Url-Expires': linkExpiry(links),
  }
}

/** The file name of a picture, for saving it. */
function contentDisposition({ templateId, contentType }: AnswerHeader): { readonly 'Content-Disposition'?: string } {
  const format = outputFormatNames.find(name => outputFormats[name].mediaType === contentType)
  if (templateId === null || format === undefined) return {}
  return { 'Content-Disposition': pictureDisposition(fileNameOf({ templateId, format })) }
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
  const { arrival, isFunded } = admissionOf(request)
  const count = (sizeBytes: number) => context.budget.receive(arrival, sizeBytes)
  if (mediaType === 'application/json') {
    continueBody(request, reply)
    return fieldsOfJson(await readJsonBody(request, context.deadlines, count))
  }
  if (mediaType === 'multipart/form-data') {
    // Callers who cannot pay must leave the disk's reserve to others.
    const stated = Number(headers['content-length'] ?? FORM_BYTES_MAX)
    using _room = isFunded ? null : await context.diskRoom.take(stated)
    continueBody(request, reply)
    // Identical requests with one Idempotency-Key are recognised by the SHA-256 of their uploads.
    const options = { folder: context.folder.path, isHashed: headers['idempotency-key'] !== undefined, count }
    return fieldsOfMultipart(await readMultipartForm(request, context.deadlines, options))
  }
  throw unsupportedMediaType(headers['content-type'])
}
