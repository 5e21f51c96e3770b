/**
 * What a link to a proof opens, for everyone who has it, without an account. No cookie is read here, and
 * answers contain no more than the shared scenes.
 */
import { proofAnswerSchema, type SharedProof, type SharedScene } from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DashboardError, notFound } from '../../errors/dashboard-error.ts'
import { sendSized } from '../../http/sized-stream.ts'
import { PROOF_ANSWERS_PER_HOUR, PROOF_CALLS_PER_MINUTE } from '../../proofs/limits.ts'
import type { Proof } from '../../proofs/proof-rows.ts'
import { networkOf } from '../../rate-limits/address-subject.ts'
import type { TemplateRecord } from '../../templates/template-record.ts'
import { mailAnswer } from '../answer-mails.ts'
import type { DashboardServices } from '../dashboard-services.ts'
import { countCall } from '../find-visitor.ts'
import { openOctets } from '../octet-body.ts'
import { isoOf } from '../resources.ts'
import { artworkOctets, fileNameOf, sendArtwork, sendStill, stillParameters, strangersFile } from './proof-routes.ts'

/** The maximum width of tiles: larger pictures are the shop's to sell. */
const PACK_WIDTH_PX = 480

const tokenParameters = z.object({ token: z.string().max(64) })
const packParameters = tokenParameters.extend({ index: z.coerce.number().int().min(0).max(1000) })
const answerParameters = tokenParameters.extend({ answerId: z.string().max(64) })

export function registerSharedProofRoutes(app: FastifyInstance, services: DashboardServices): void {
  const { proofs, templates, rateLimiter } = services
  const count = async (request: FastifyRequest, what: string, windowSeconds: number, limit: number) => {
    const subject = `${what}:${networkOf(request.state.clientAddress)}`
    const decision = await rateLimiter.count({ subject, limits: [{ windowSeconds, limit }] })
    if (decision.allowed) return
    const { retryAfterS } = decision
    throw new DashboardError('TOO_MANY_VISITS', {
      hint: `Try again in ${Math.ceil(retryAfterS)} seconds.`,
      retryAfterS,
    })
  }
  const proofOf = async (request: FastifyRequest): Promise<Proof> => {
    await count(request, 'proof', 60, PROOF_CALLS_PER_MINUTE)
    const proof = await proofs.open(tokenParameters.parse(request.params).token)
    if (proof === null) throw notFound('proof: the link has ended, or was never one')
    return proof
  }
  const answeredProofOf = async (request: FastifyRequest): Promise<Proof> => {
    const proof = await proofOf(request)
    await count(request, 'proof-answers', 3600, PROOF_ANSWERS_PER_HOUR)
    return proof
  }
  /** The scenes that still exist, in the shop's order. */
  const scenesOf = async ({ accountId, template_ids }: Proof): Promise<TemplateRecord[]> => {
    const found = await templates.find(template_ids, accountId)
    return template_ids.flatMap(id => found.get(id) ?? [])
  }

  app.get('/w/:token/proof', async (request): Promise<SharedProof> => {
    const proof = await proofOf(request)
    const scenes = await scenesOf(proof)
    const stills = (await proofs.stillsOf([proof.id])).get(proof.id)
    const answer = await proofs.newestAnswer(proof)
    await proofs.countVisit(proof)
    const { title, shop_name, token, artwork, placements, colors } = proof
    return {
      title,
      shop_name,
      expires_at: isoOf(proof.expiresAtMs),
      scenes: scenes.map(record => {
        const index = proof.template_ids.indexOf(record.id)
        return sceneOf(record, {
          pack: `/w/${token}/packs/${index}`,
          still: stills?.has(index) === true ? `/w/${token}/stills/${index}` : null,
        })
      }),
      last_answer: answer && { at: isoOf(answer.atMs), is_approved: answer.is_approved, name: answer.name },
      artwork: artwork && {
        name: artwork.name,
        size_bytes: artwork.size_bytes,
        sha256: artwork.sha256,
        path: `/w/${token}/artwork`,
      },
      placements,
      colors,
    }
  })

  app.get('/w/:token/packs/:index', async (request, reply) => {
    const proof = await proofOf(request)
    const id = proof.template_ids[packParameters.parse(request.params).index]
    const record = id === undefined ? undefined : (await templates.find([id], proof.accountId)).get(id)
    if (record === undefined) throw notFound('scene')
    const { accountId } = proof
    const beforeMaking = () => countCall(services.dashboardCalls, accountId, 'packs')
    const pack = await templates.openPack(record, PACK_WIDTH_PX, { accountId, beforeMaking })
    if (pack === null) throw notFound('pack')
    await sendSized(reply, { sizeBytes: pack.sizeBytes, open: () => pack.content }, strangersFile)
    return reply
  })

  app.get('/w/:token/stills/:index', async (request, reply) => {
    const proof = await proofOf(request)
    return sendStill(services, reply, proof, stillParameters.parse(request.params).index)
  })

  app.get('/w/:token/artwork', async (request, reply) => {
    const { artwork } = await proofOf(request)
    return sendArtwork(services, reply, artwork)
  })

  app.post('/w/:token/answers', async request => {
    const proof = await answeredProofOf(request)
    const answer = proofAnswerSchema.parse(request.body)
    const { id } = await proofs.answer(proof, answer)
    services.audit.note({
      accountId: proof.accountId,
      actor: 'system',
      network: networkOf(request.state.clientAddress),
      action: answer.is_approved ? 'proof_approved' : 'proof_answered',
      target: proof.id,
      outcome: 'ok',
    })
    await mailAnswer(services, proof, answer.is_approved)
    return { id }
  })

  app.post('/w/:token/answers/:answerId/artwork', artworkOctets, async (request, reply) => {
    const proof = await answeredProofOf(request)
    const { answerId } = answerParameters.parse(request.params)
    const name = fileNameOf(request)
    using octets = await openOctets(request, reply, services)
    if (!(await proofs.attach(proof, answerId, { ...octets, name }))) throw notFound('answer')
    return {}
  })
}

/** Omits the gallery's picture, which shows someone else's design. */
function sceneOf(record: TemplateRecord, { pack, still }: { pack: string; still: string | null }): SharedScene {
  return {
    id: record.id,
    name: record.name,
    category: record.category,
    frames: record.aspectRatios.map((aspect_ratio, index) => ({ index, aspect_ratio })),
    colors: [...record.colors],
    look: record.look && { width_px: record.look.widthPx, height_px: record.look.heightPx },
    is_product_template: record.type === 'product',
    surface_type: record.surfaceType,
    packs: [{ width_px: PACK_WIDTH_PX, path: pack }],
    still_path: still,
  }
}
