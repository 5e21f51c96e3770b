import {
  limits,
  MOCKUP_NOTE_HEADER,
  type MockupNote,
  mockupNoteSchema,
  removedMockupsSchema,
  type StoredMockupList,
  searchedMockupsSchema,
  type TakenThumbnail,
} from '@vitrine/contract'
import { findArtworkType } from '@vitrine/engine/bundle'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DashboardError, notFound } from '../../errors/dashboard-error.ts'
import { sendSized } from '../../http/sized-stream.ts'
import type { SentMockup } from '../../routes/post-mockups-generate.ts'
import type { StoredMockup } from '../../stored-mockups/stored-mockups.ts'
import { noteEvent } from '../account-events.ts'
import type { DashboardServices, RegisterRoutes } from '../dashboard-services.ts'
import { openOctets, takesOctets } from '../octet-body.ts'
import { isoOf } from '../resources.ts'

const DAY_MS = 24 * 3600 * 1000
const mockupParameters = z.object({ mockupId: z.string().max(64) })
const thumbnailQuery = z.object({ key: z.string().min(1).max(255), name: z.string().min(1).max(255) })

/** Stores a mockup that was sent to a page of the dashboard, if the page has named it. */
export function storeSentMockup(
  { storedMockups }: Pick<DashboardServices, 'storedMockups'>,
  { headers, id }: FastifyRequest,
  { key, ...sent }: SentMockup,
): Promise<void> {
  const note = noteOf(headers[MOCKUP_NOTE_HEADER])
  return note === null ? Promise.resolve() : storedMockups.store({ ...sent, ...note, pictureKey: key ?? id })
}

/** An invalid note is ignored: the mockup is paid for, and is sent in any case. */
function noteOf(header: string | readonly string[] | undefined): MockupNote | null {
  if (typeof header !== 'string') return null
  try {
    return mockupNoteSchema.safeParse(JSON.parse(decodeURIComponent(header))).data ?? null
  } catch {
    return null
  }
}

/** *My mockups*. */
export const registerMockupRoutes: RegisterRoutes = (app, services, findVisitor) => {
  const { storedMockups } = services
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    which: 'picture' | 'thumbnail',
  ): Promise<FastifyReply> => {
    const { account } = await findVisitor(request)
    const { mockupId } = mockupParameters.parse(request.params)
    const mockup = await storedMockups.find(account.accountId, mockupId)
    const file = mockup && (await storedMockups.open(account.accountId, mockupId, which))
    if (mockup === null || file === null) throw notFound('mockup')
    const headers = {
      'Content-Type': which === 'picture' ? mockup.mediaType : 'image/jpeg',
      'Content-Disposition': 'attachment',
      'Cache-Control': 'private, max-age=86400, immutable',
    }
    await sendSized(reply, { sizeBytes: file.sizeBytes, open: () => file.content }, headers)
    return reply
  }

  app.get('/dashboard/api/mockups', async (request): Promise<StoredMockupList> => {
    const { account } = await findVisitor(request)
    const { items, nextAfter } = await storedMockups.list(account.accountId, searchedMockupsSchema.parse(request.query))
    const { count, sizeBytes } = await storedMockups.measure(account.accountId)
    return {
      mockups: items.map(resourceOf),
      next_after: nextAfter,
      total_count: count,
      total_bytes: sizeBytes,
      bytes_max: storedMockups.bytesMax,
      days: storedMockups.retentionMs / DAY_MS,
    }
  })

  app.get('/dashboard/api/mockups/:mockupId/picture', (request, reply) => send(request, reply, 'picture'))
  app.get('/dashboard/api/mockups/:mockupId/thumbnail', (request, reply) => send(request, reply, 'thumbnail'))

  app.post(
    '/dashboard/api/mockups/thumbnail',
    takesOctets({ mediaType: 'image/jpeg', maxBytes: limits.mockupThumbnailBytesMax }),
    async (request, reply): Promise<TakenThumbnail> => {
      const { account } = await findVisitor(request)
      const { key, name } = thumbnailQuery.parse(request.query)
      using octets = await openOctets(request, reply, services)
      const parts: Uint8Array[] = []
      for await (const part of octets.content) parts.push(part)
      const bytes = Buffer.concat(parts)
      if (findArtworkType(bytes) !== 'jpeg')
        throw new DashboardError('NOT_A_PICTURE', { message: 'Expected a small JPEG of the mockup.' })
      return { is_taken: await storedMockups.addThumbnail(account.accountId, { pictureKey: key, name }, bytes) }
    },
  )

  app.post('/dashboard/api/mockups/remove', async request => {
    const { account } = await findVisitor(request)
    const which = removedMockupsSchema.parse(request.body)
    const count = await storedMockups.remove(account.accountId, which)
    if (count > 0) noteEvent(services, request, { account, action: 'mockups_removed', target: String(count) })
    return { count }
  })
}

const resourceOf = (mockup: StoredMockup): StoredMockupList['mockups'][number] => ({
  id: mockup.id,
  key: mockup.pictureKey,
  name: mockup.name,
  artwork: mockup.artwork,
  run: mockup.run,
  template_id: mockup.templateId,
  size_bytes: mockup.sizeBytes,
  made_at: isoOf(mockup.madeAtMs),
  has_thumbnail: mockup.hasThumbnail,
})
