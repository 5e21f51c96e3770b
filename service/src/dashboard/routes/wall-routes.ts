import {
  type GivenAnswer,
  type GivenAnswerList,
  limits,
  readAnswersSchema,
  type SharedArtwork,
  type UnreadAnswers,
  type WallList,
  type WallResource,
  wallDraftSchema,
} from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFound } from '../../errors/dashboard-error.ts'
import { sendSized } from '../../http/sized-stream.ts'
import type { TemplateRecord } from '../../templates/template-record.ts'
import type { ListedWall, ReceivedAnswer, StoredArtwork, Wall } from '../../walls/wall-rows.ts'
import { noteEvent } from '../account-events.ts'
import type { DashboardServices, FindVisitor, Visitor } from '../dashboard-services.ts'
import { openOctets, takesOctets } from '../octet-body.ts'
import { isoOf } from '../resources.ts'

const wallParameters = z.object({ wallId: z.string().max(64) })
const answerParameters = wallParameters.extend({ answerId: z.string().max(64) })
/** The picture of a link, or of an answer to it. */
export const artworkOctets = takesOctets({
  mediaType: 'application/octet-stream',
  maxBytes: limits.artworkSizeBytesMax,
})
/** The picture of a scene as it is sent. */
const stillOctets = takesOctets({ mediaType: 'image/jpeg', maxBytes: limits.wallStillBytesMax })
export const stillParameters = z.object({ index: z.coerce.number().int().min(0).max(limits.wallScenesMax) })
const pageQuery = z.object({ after: z.string().max(64).nullable().default(null) })
const fileQuery = z.object({ name: z.string().min(1).max(255) })

/** Links that an account sends to a customer of its own, and what comes back. */
export function registerWallRoutes(app: FastifyInstance, services: DashboardServices, findVisitor: FindVisitor): void {
  const { walls, templates, origin, clock } = services
  const stateOf = ({ revokedAtMs, expiresAtMs }: ListedWall): WallResource['state'] => {
    if (revokedAtMs !== null) return 'revoked'
    return expiresAtMs > clock() ? 'open' : 'expired'
  }
  const resourceOf = (
    wall: ListedWall,
    known: ReadonlyMap<string, TemplateRecord>,
    stills: ReadonlySet<number> | undefined,
  ): WallResource => ({
    id: wall.id,
    title: wall.title,
    shop_name: wall.shop_name,
    url: `${origin}/w/${wall.token}`,
    scenes: wall.template_ids.map((id, index) => ({
      id,
      name: known.get(id)?.name ?? id,
      still_path: stills?.has(index) === true ? `/dashboard/api/walls/${wall.id}/stills/${index}` : null,
    })),
    artwork: artworkResource(wall.artwork),
    created_at: isoOf(wall.createdAtMs),
    expires_at: isoOf(wall.expiresAtMs),
    state: stateOf(wall),
    visits: wall.visits,
    answer_count: wall.answerCount,
    unread_count: wall.unreadCount,
  })
  const wallOf = async (request: FastifyRequest): Promise<{ visitor: Visitor; wall: Wall }> => {
    const visitor = await findVisitor(request)
    const wall = await walls.find(visitor.account.accountId, wallParameters.parse(request.params).wallId)
    if (wall === null) throw notFound('link')
    return { visitor, wall }
  }

  app.get('/dashboard/api/walls', async (request): Promise<WallList> => {
    const { account } = await findVisitor(request)
    const { items, nextAfter } = await walls.list(account.accountId, pageQuery.parse(request.query).after)
    const ids = [...new Set(items.flatMap(({ template_ids }) => template_ids))]
    const known = await templates.find(ids, account.accountId)
    const stills = await walls.stillsOf(items.map(({ id }) => id))
    return { walls: items.map(wall => resourceOf(wall, known, stills.get(wall.id))), next_after: nextAfter }
  })

  app.get('/dashboard/api/walls/unread', async (request): Promise<UnreadAnswers> => {
    const { account } = await findVisitor(request)
    return { unread_count: await walls.countUnread(account.accountId) }
  })

  app.post('/dashboard/api/walls/:wallId/read', async request => {
    const { wall } = await wallOf(request)
    await walls.markRead(wall, readAnswersSchema.parse(request.body).answer_count)
    return {}
  })

  app.get('/dashboard/api/walls/:wallId/answers', async (request): Promise<GivenAnswerList> => {
    const { wall } = await wallOf(request)
    const { items, nextAfter } = await walls.answersOf(wall, pageQuery.parse(request.query).after)
    const { placements, colors } = wall
    return { sent: { placements, colors }, answers: items.map(answerResource), next_after: nextAfter }
  })

  app.post('/dashboard/api/walls', async (request): Promise<WallResource> => {
    const { account } = await findVisitor(request)
    const draft = wallDraftSchema.parse(request.body)
    const found = await templates.find(draft.template_ids, account.accountId)
    const missing = draft.template_ids.find(id => !found.has(id))
    if (missing !== undefined) throw notFound(`template ${missing}`)
    const wall = await walls.create(account.accountId, draft)
    noteEvent(services, request, { account, action: 'wall_created', target: wall.id })
    return resourceOf(wall, found, undefined)
  })

  app.post(
    '/dashboard/api/walls/:wallId/artwork',
    artworkOctets,
    async (request, reply): Promise<SharedArtwork | null> => {
      const { wall } = await wallOf(request)
      const name = fileNameOf(request)
      using octets = await openOctets(request, reply, services)
      return artworkResource(await walls.shareArtwork(wall, { ...octets, name }))
    },
  )

  app.post('/dashboard/api/walls/:wallId/stills/:index', stillOctets, async (request, reply) => {
    const { wall } = await wallOf(request)
    const { index } = stillParameters.parse(request.params)
    using octets = await openOctets(request, reply, services)
    if (!(await walls.addStill(wall, index, { ...octets, name: `${index}.jpg` }))) throw notFound('scene')
    return {}
  })

  app.get('/dashboard/api/walls/:wallId/stills/:index', async (request, reply) => {
    const { wall } = await wallOf(request)
    return sendStill(services, reply, wall, stillParameters.parse(request.params).index)
  })

  app.post('/dashboard/api/walls/:wallId/revoke', async request => {
    const { visitor, wall } = await wallOf(request)
    if (await walls.revoke(wall))
      noteEvent(services, request, { account: visitor.account, action: 'wall_revoked', target: wall.id })
    return {}
  })

  app.post('/dashboard/api/walls/:wallId/remove', async request => {
    const { visitor, wall } = await wallOf(request)
    await walls.remove(wall)
    noteEvent(services, request, { account: visitor.account, action: 'wall_removed', target: wall.id })
    return {}
  })

  app.get('/dashboard/api/walls/:wallId/artwork', async (request, reply) => {
    const { wall } = await wallOf(request)
    return sendArtwork(services, reply, wall.artwork)
  })

  app.get('/dashboard/api/walls/:wallId/answers/:answerId/artwork', async (request, reply) => {
    const { wall } = await wallOf(request)
    const { answerId } = answerParameters.parse(request.params)
    const answer = await walls.findAnswer(wall, answerId)
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

/** Sends a picture. @throws DashboardError where there is none */
export async function sendArtwork(
  { walls }: Pick<DashboardServices, 'walls'>,
  reply: FastifyReply,
  artwork: StoredArtwork | null,
): Promise<FastifyReply> {
  const file = artwork && (await walls.openArtwork(artwork))
  if (file === null) throw notFound('file')
  await sendSized(reply, { sizeBytes: file.sizeBytes, open: () => file.content }, strangersFile)
  return reply
}

/** Sends the picture of a scene as it was sent. @throws DashboardError where there is none */
export async function sendStill(
  { walls }: Pick<DashboardServices, 'walls'>,
  reply: FastifyReply,
  wall: Pick<Wall, 'id'>,
  position: number,
): Promise<FastifyReply> {
  const file = await walls.openStill(wall, position)
  if (file === null) throw notFound('picture')
  await sendSized(reply, { sizeBytes: file.sizeBytes, open: () => file.content }, stillFile)
  return reply
}

/** Somebody else's too. It is shown in a page, as a picture whatever it holds, and never by itself. */
const stillFile = {
  'Content-Type': 'image/jpeg',
  'Content-Disposition': 'attachment',
  'Cache-Control': 'private, max-age=3600',
} as const

/** Bytes of somebody else: a browser saves them, and never shows them. */
export const strangersFile = {
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': 'attachment',
  'Cache-Control': 'private, no-store',
} as const

/** The name of the file that a request sends. */
export const fileNameOf = ({ query }: FastifyRequest): string => fileQuery.parse(query).name
