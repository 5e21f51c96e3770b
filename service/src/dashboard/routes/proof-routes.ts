import {
  type GivenAnswer,
  type GivenAnswerList,
  limits,
  type ProofList,
  type ProofResource,
  proofDraftSchema,
  readAnswersSchema,
  type SharedArtwork,
  type UnreadAnswers,
} from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFound } from '../../errors/dashboard-error.ts'
import { sendSized } from '../../http/sized-stream.ts'
import type { ListedProof, Proof, ReceivedAnswer, StoredArtwork } from '../../proofs/proof-rows.ts'
import type { TemplateRecord } from '../../templates/template-record.ts'
import { noteEvent } from '../account-events.ts'
import type { DashboardServices, FindVisitor, Visitor } from '../dashboard-services.ts'
import { openOctets, takesOctets } from '../octet-body.ts'
import { isoOf } from '../resources.ts'

const proofParameters = z.object({ proofId: z.string().max(64) })
const answerParameters = proofParameters.extend({ answerId: z.string().max(64) })
/** The picture of a link, or of an answer to it. */
export const artworkOctets = takesOctets({
  mediaType: 'application/octet-stream',
  maxBytes: limits.artworkSizeBytesMax,
})
/** The picture of a scene at the time the link is sent. */
const stillOctets = takesOctets({ mediaType: 'image/jpeg', maxBytes: limits.proofStillBytesMax })
export const stillParameters = z.object({ index: z.coerce.number().int().min(0).max(limits.proofScenesMax) })
const pageQuery = z.object({ after: z.string().max(64).nullable().default(null) })
const fileQuery = z.object({ name: z.string().min(1).max(255) })

/** Links that an account sends to a customer, and the answers. */
export function registerProofRoutes(app: FastifyInstance, services: DashboardServices, findVisitor: FindVisitor): void {
  const { proofs, templates, origin, clock } = services
  const stateOf = ({ revokedAtMs, expiresAtMs }: ListedProof): ProofResource['state'] => {
    if (revokedAtMs !== null) return 'revoked'
    return expiresAtMs > clock() ? 'open' : 'expired'
  }
  const resourceOf = (
    proof: ListedProof,
    known: ReadonlyMap<string, TemplateRecord>,
    stills: ReadonlySet<number> | undefined,
  ): ProofResource => ({
    id: proof.id,
    title: proof.title,
    shop_name: proof.shop_name,
    url: `${origin}/w/${proof.token}`,
    scenes: proof.template_ids.map((id, index) => ({
      id,
      name: known.get(id)?.name ?? id,
      still_path: stills?.has(index) === true ? `/dashboard/api/proofs/${proof.id}/stills/${index}` : null,
    })),
    artwork: artworkResource(proof.artwork),
    created_at: isoOf(proof.createdAtMs),
    expires_at: isoOf(proof.expiresAtMs),
    state: stateOf(proof),
    visits: proof.visits,
    answer_count: proof.answerCount,
    unread_count: proof.unreadCount,
  })
  const proofOf = async (request: FastifyRequest): Promise<{ visitor: Visitor; proof: Proof }> => {
    const visitor = await findVisitor(request)
    const proof = await proofs.find(visitor.account.accountId, proofParameters.parse(request.params).proofId)
    if (proof === null) throw notFound('link')
    return { visitor, proof }
  }

  app.get('/dashboard/api/proofs', async (request): Promise<ProofList> => {
    const { account } = await findVisitor(request)
    const { items, nextAfter } = await proofs.list(account.accountId, pageQuery.parse(request.query).after)
    const ids = [...new Set(items.flatMap(({ template_ids }) => template_ids))]
    const known = await templates.find(ids, account.accountId)
    const stills = await proofs.stillsOf(items.map(({ id }) => id))
    return { proofs: items.map(proof => resourceOf(proof, known, stills.get(proof.id))), next_after: nextAfter }
  })

  app.get('/dashboard/api/proofs/unread', async (request): Promise<UnreadAnswers> => {
    const { account } = await findVisitor(request)
    return { unread_count: await proofs.countUnread(account.accountId) }
  })

  app.post('/dashboard/api/proofs/:proofId/read', async request => {
    const { proof } = await proofOf(request)
    await proofs.markRead(proof, readAnswersSchema.parse(request.body).answer_count)
    return {}
  })

  app.get('/dashboard/api/proofs/:proofId/answers', async (request): Promise<GivenAnswerList> => {
    const { proof } = await proofOf(request)
    const { items, nextAfter } = await proofs.answersOf(proof, pageQuery.parse(request.query).after)
    const { placements, colors } = proof
    return { sent: { placements, colors }, answers: items.map(answerResource), next_after: nextAfter }
  })

  app.post('/dashboard/api/proofs', async (request): Promise<ProofResource> => {
    const { account } = await findVisitor(request)
    const draft = proofDraftSchema.parse(request.body)
    const found = await templates.find(draft.template_ids, account.accountId)
    const missing = draft.template_ids.find(id => !found.has(id))
    if (missing !== undefined) throw notFound(`template ${missing}`)
    const proof = await proofs.create(account.accountId, draft)
    noteEvent(services, request, { account, action: 'proof_created', target: proof.id })
    return resourceOf(proof, found, undefined)
  })

  app.post(
    '/dashboard/api/proofs/:proofId/artwork',
    artworkOctets,
    async (request, reply): Promise<SharedArtwork | null> => {
      const { proof } = await proofOf(request)
      const name = fileNameOf(request)
      using octets = await openOctets(request, reply, services)
      return artworkResource(await proofs.shareArtwork(proof, { ...octets, name }))
    },
  )

  app.post('/dashboard/api/proofs/:proofId/stills/:index', stillOctets, async (request, reply) => {
    const { proof } = await proofOf(request)
    const { index } = stillParameters.parse(request.params)
    using octets = await openOctets(request, reply, services)
    if (!(await proofs.addStill(proof, index, { ...octets, name: `${index}.jpg` }))) throw notFound('scene')
    return {}
  })

  app.get('/dashboard/api/proofs/:proofId/stills/:index', async (request, reply) => {
    const { proof } = await proofOf(request)
    return sendStill(services, reply, proof, stillParameters.parse(request.params).index)
  })

  app.post('/dashboard/api/proofs/:proofId/revoke', async request => {
    const { visitor, proof } = await proofOf(request)
    if (await proofs.revoke(proof))
      noteEvent(services, request, { account: visitor.account, action: 'proof_revoked', target: proof.id })
    return {}
  })

  app.post('/dashboard/api/proofs/:proofId/remove', async request => {
    const { visitor, proof } = await proofOf(request)
    await proofs.remove(proof)
    noteEvent(services, request, { account: visitor.account, action: 'proof_removed', target: proof.id })
    return {}
  })

  app.get('/dashboard/api/proofs/:proofId/artwork', async (request, reply) => {
    const { proof } = await proofOf(request)
    return sendArtwork(services, reply, proof.artwork)
  })

  app.get('/dashboard/api/proofs/:proofId/answers/:answerId/artwork', async (request, reply) => {
    const { proof } = await proofOf(request)
    const { answerId } = answerParameters.parse(request.params)
    const answer = await proofs.findAnswer(proof, answerId)
    return sendArtwork(services, reply, answer?.artwork ?? null)
  })
}

function answerResource(answer: ReceivedAnswer): GivenAnswer {
  const { id, hearts, word, is_approved, placements, colors, seen, name } = answer
  const artwork = artworkResource(answer.artwork)
  return { id, hearts, word, is_approved, placements, colors, seen, name, at: isoOf(answer.atMs), artwork }
}

const artworkResource = (artwork: StoredArtwork | null): SharedArtwork | null =>
  artwork && { name: artwork.name, size_bytes: artwork.size_bytes, sha256: artwork.sha256 }

/** Sends a picture. @throws DashboardError if there is none */
export async function sendArtwork(
  { proofs }: Pick<DashboardServices, 'proofs'>,
  reply: FastifyReply,
  artwork: StoredArtwork | null,
): Promise<FastifyReply> {
  const file = artwork && (await proofs.openArtwork(artwork))
  if (file === null) throw notFound('file')
  await sendSized(reply, { sizeBytes: file.sizeBytes, open: () => file.content }, strangersFile)
  return reply
}

/** Sends the picture of a scene at the time the link was sent. @throws DashboardError if there is none */
export async function sendStill(
  { proofs }: Pick<DashboardServices, 'proofs'>,
  reply: FastifyReply,
  proof: Pick<Proof, 'id'>,
  position: number,
): Promise<FastifyReply> {
  const file = await proofs.openStill(proof, position)
  if (file === null) throw notFound('picture')
  await sendSized(reply, { sizeBytes: file.sizeBytes, open: () => file.content }, stillFile)
  return reply
}

/**
 * Headers for files that may come from strangers: shown as a picture within a page, whatever the content, and
 * never by itself.
 */
const stillFile = {
  'Content-Type': 'image/jpeg',
  'Content-Disposition': 'attachment',
  'Cache-Control': 'private, max-age=3600',
} as const

/** Headers for files from strangers: browsers save them, and never show them. */
export const strangersFile = {
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': 'attachment',
  'Cache-Control': 'private, no-store',
} as const

/** The name of an uploaded file. */
export const fileNameOf = ({ query }: FastifyRequest): string => fileQuery.parse(query).name
