import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type DashboardTemplate,
  type DashboardTemplateList,
  type ImportedTemplate,
  limits,
  restoreVersionSchema,
  type TemplateMarks,
  type TemplateVersionList,
  templateMarksSchema,
  templateOriginSchema,
} from '@vitrine/contract'
import { PACK_FORMAT, packWidthsPx } from '@vitrine/engine/bundle'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DashboardError, notFound } from '../../errors/dashboard-error.ts'
import { sendSized } from '../../http/sized-stream.ts'
import { FAVOURITE } from '../../templates/template-marks.ts'
import type { TemplateRecord } from '../../templates/template-record.ts'
import { templateResourceOf } from '../../templates/template-resource.ts'
import { noteEvent } from '../account-events.ts'
import { countImport } from '../count-import.ts'
import { isOperator, type RegisterRoutes, type Visitor } from '../dashboard-services.ts'
import { countCall } from '../find-visitor.ts'
import { octetBytesMax, openOctets, takesOctets } from '../octet-body.ts'
import { isoOf } from '../resources.ts'
import { zipStream } from '../zip-stream.ts'

const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(48),
  search: z.string().max(200).optional(),
  category: z.string().max(200).optional(),
  type: z.enum(['print', 'product']).optional(),
  order: z.enum(['name', 'newest']).default('name'),
  show: z.literal('favourites').optional(),
  tag: z.string().max(200).optional(),
})
const templateParameters = z.object({ id: z.string().max(64) })
const fileParameters = templateParameters.extend({ revision: z.string().max(64), '*': z.string().max(500) })
const packParameters = templateParameters.extend({ revision: z.string().max(64), name: z.string().max(64) })
/** The URL contains the version, so browsers may cache the file. */
const CACHED_FILE = 'private, max-age=86400, immutable'
/** The file names of a reduced bundle, which has a flat folder. */
const previewFile = /^[a-z0-9-]+\.(json|png|webp)$/
const sharingSchema = z.strictObject({ shared: z.boolean() })
const importQuery = z.object({
  shared: z.enum(['true', 'false']).default('false'),
  origin: templateOriginSchema.extract(['import', 'editor']).default('import'),
})
const versionParameters = templateParameters.extend({ revision: z.string().max(64) })

/** The media types of a bundle's files. No other file is sent, so that none is rendered as a page. */
const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

export const registerTemplateRoutes: RegisterRoutes = (app, services, findVisitor) => {
  const { templates, templateMarks, origin } = services
  const resourceOf = (record: TemplateRecord, visitor: Visitor, marks: TemplateMarks): DashboardTemplate => ({
    ...marks,
    ...templateResourceOf(record, origin),
    look: record.look && {
      width_px: record.look.widthPx,
      height_px: record.look.heightPx,
      tiny: `data:image/jpeg;base64,${record.look.tiny}`,
      outlines: record.look.outlines,
    },
    imported_at: isoOf(record.importedAtMs),
    version: record.version,
    owner: record.ownerAccountId === null ? 'shared' : 'own',
    editable: mayEdit(record, visitor),
    downloadable: mayDownload(record, visitor),
    preview_path: previewPathOf(record, visitor),
    packs: packWidthsPx.map(width_px => ({ width_px, path: packPathOf(record, width_px) })),
  })
  const recordOf = async (request: FastifyRequest): Promise<{ visitor: Visitor; record: TemplateRecord }> => {
    const visitor = await findVisitor(request)
    const { id } = templateParameters.parse(request.params)
    const record = (await templates.find([id], visitor.account.accountId)).get(id)
    if (record === undefined) throw notFound('template')
    return { visitor, record }
  }

  /** The template in the URL, if the visitor may have its whole bundle. @throws DashboardError */
  const wholeOf = async (request: FastifyRequest): Promise<TemplateRecord> => {
    const { visitor, record } = await recordOf(request)
    if (mayDownload(record, visitor)) return record
    throw new DashboardError('NOT_ALLOWED', { message: 'The bundle of this template is not for download.' })
  }

  /** The template in the URL, if the visitor may edit it. @throws DashboardError */
  const editableOf = async (request: FastifyRequest): Promise<{ visitor: Visitor; record: TemplateRecord }> => {
    const { visitor, record } = await recordOf(request)
    if (!mayEdit(record, visitor)) throw new DashboardError('NOT_ALLOWED')
    return { visitor, record }
  }

  app.get('/dashboard/api/templates', async (request): Promise<DashboardTemplateList> => {
    const visitor = await findVisitor(request)
    const query = listQuery.parse(request.query)
    const { search: words, show, tag = show === 'favourites' ? FAVOURITE : undefined, ...rest } = query
    const { accountId } = visitor.account
    const found = await templates.list({ accountId, ...rest, words, tag })
    const ids = found.templates.map(({ id }) => id)
    const marks = await templateMarks.read(accountId, ids)
    return {
      templates: found.templates.map(record => resourceOf(record, visitor, marks.of(record.id))),
      pagination: {
        page: query.page,
        limit: query.limit,
        total: found.total,
        total_pages: Math.ceil(found.total / query.limit),
      },
      categories: [...found.categories],
      tags: [...marks.tags],
    }
  })

  app.get('/dashboard/api/templates/:id', async (request): Promise<DashboardTemplate> => {
    const { visitor, record } = await recordOf(request)
    const marks = await templateMarks.read(visitor.account.accountId, [record.id])
    return resourceOf(record, visitor, marks.of(record.id))
  })

  app.post('/dashboard/api/templates/:id/marks', async (request): Promise<TemplateMarks> => {
    const { visitor, record } = await recordOf(request)
    const { accountId } = visitor.account
    await templateMarks.set(accountId, record.id, templateMarksSchema.partial().parse(request.body))
    return (await templateMarks.read(accountId, [record.id])).of(record.id)
  })

  app.get('/dashboard/api/templates/:id/files/:revision/*', async (request, reply) => {
    const record = await wholeOf(request)
    const { revision, '*': name } = fileParameters.parse(request.params)
    if (revision !== record.revision || !record.files.includes(name)) throw notFound('file')
    const { folder } = await templates.localBundle(record)
    return sendFile(reply, folder, name)
  })

  app.get('/dashboard/api/templates/:id/preview/:revision/*', async (request, reply) => {
    const { visitor, record } = await recordOf(request)
    const { revision, '*': name } = fileParameters.parse(request.params)
    if (revision !== record.revision || !previewFile.test(name)) throw notFound('file')
    const { accountId } = visitor.account
    const beforeMaking = () => countCall(services.dashboardCalls, accountId, 'previews')
    const folder = await templates.previewFolder(record, { accountId, beforeMaking })
    if (!existsSync(path.join(folder, name))) throw notFound('file')
    return sendFile(reply, folder, name)
  })

  app.get('/dashboard/api/templates/:id/packs/:revision/:name', async (request, reply) => {
    const { visitor, record } = await recordOf(request)
    const { revision, name } = packParameters.parse(request.params)
    const widthPx = packWidthsPx.find(width => name === packFileOf(width))
    if (revision !== record.revision || widthPx === undefined) throw notFound('pack')
    const { accountId } = visitor.account
    const beforeMaking = () => countCall(services.dashboardCalls, accountId, 'packs')
    const pack = await templates.openPack(record, widthPx, { accountId, beforeMaking })
    if (pack === null) throw notFound('pack')
    const headers = { 'Content-Type': 'application/octet-stream', 'Cache-Control': CACHED_FILE }
    await sendSized(reply, { sizeBytes: pack.sizeBytes, open: () => pack.content }, headers)
    return reply
  })

  app.get('/dashboard/api/templates/:id/bundle.zip', async (request, reply) => {
    const record = await wholeOf(request)
    const { folder } = await templates.localBundle(record)
    return reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="${record.id}.zip"`)
      .send(zipStream(folder, record.files))
  })

  app.post(
    '/dashboard/api/templates',
    takesOctets({ mediaType: 'application/zip', maxBytes: limits.bundleSizeBytesMax }),
    async (request, reply): Promise<ImportedTemplate> => {
      const visitor = await findVisitor(request)
      const query = importQuery.parse(request.query)
      const shared = query.shared === 'true'
      if (shared && !isOperator(visitor)) throw new DashboardError('NOT_ALLOWED')
      const ownerAccountId = shared ? null : visitor.account.accountId
      await countImport(services.rateLimiter, visitor)
      await using admitted = await templates.admitImport({
        accountId: visitor.account.accountId,
        ownerAccountId,
        sizeBytes: octetBytesMax(request),
      })
      using octets = await openOctets(request, reply, services)
      await pipeline(octets.content, createWriteStream(admitted.file, { mode: 0o600, flags: 'wx' }))
      const { templateId } = await templates.importBundle({
        path: admitted.file,
        ownerAccountId,
        origin: query.origin,
        ...(shared ? {} : { ownedMax: limits.privateTemplatesMax }),
      })
      noteEvent(services, request, { account: visitor.account, action: 'template_imported', target: templateId })
      return { id: templateId }
    },
  )

  app.post('/dashboard/api/templates/:id/share', async request => {
    const { visitor, record } = await recordOf(request)
    if (!isOperator(visitor) || !mayEdit(record, visitor)) throw new DashboardError('NOT_ALLOWED')
    const { shared } = sharingSchema.parse(request.body)
    if (shared === (record.ownerAccountId === null)) return {}
    const ownerAccountId = shared ? null : visitor.account.accountId
    const ownedMax = limits.privateTemplatesMax
    if (!(await templates.changeOwner(record, { ownerAccountId, ownedMax }))) throw notFound('template')
    const action = shared ? 'template_shared' : 'template_unshared'
    noteEvent(services, request, { account: visitor.account, action, target: record.id })
    return {}
  })

  app.get('/dashboard/api/templates/:id/versions', async (request): Promise<TemplateVersionList> => {
    const { record } = await editableOf(request)
    const versions = await templates.versionsOf(record)
    return {
      versions: versions.map(version => ({
        version: version.version,
        current: version.isCurrent,
        name: version.name,
        made_at: isoOf(version.madeAtMs),
        origin: version.origin,
        restored_from: version.restoredFrom,
        size_bytes: version.sizeBytes,
        thumbnail_path: `/dashboard/api/templates/${record.id}/versions/${version.revision}/thumbnail`,
      })),
    }
  })

  app.get('/dashboard/api/templates/:id/versions/:revision/thumbnail', async (request, reply) => {
    const { record } = await editableOf(request)
    const { revision } = versionParameters.parse(request.params)
    const version = (await templates.versionsOf(record)).find(each => each.revision === revision)
    const thumbnail = version === undefined ? null : await templates.openVersionThumbnail(version)
    if (thumbnail === null) throw notFound('version')
    const headers = { 'Content-Type': 'image/jpeg', 'Cache-Control': CACHED_FILE }
    await sendSized(reply, { sizeBytes: thumbnail.sizeBytes, open: () => thumbnail.content }, headers)
    return reply
  })

  app.post('/dashboard/api/templates/:id/restore', async request => {
    const { visitor, record } = await editableOf(request)
    const { version } = restoreVersionSchema.parse(request.body)
    if ((await templates.restore(record, version)) === null) throw notFound('version')
    noteEvent(services, request, { account: visitor.account, action: 'template_restored', target: record.id })
    return {}
  })

  app.post('/dashboard/api/templates/:id/remove', async request => {
    const { visitor, record } = await editableOf(request)
    await templates.remove(record)
    noteEvent(services, request, { account: visitor.account, action: 'template_removed', target: record.id })
    return {}
  })
}

/** A file of a bundle. Browsers can cache it: its URL contains the revision, so it never changes. */
function sendFile(reply: FastifyReply, folder: string, name: string): FastifyReply {
  const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
  if (contentType === undefined) throw notFound('file')
  return reply
    .header('content-type', contentType)
    .header('cache-control', CACHED_FILE)
    .send(createReadStream(path.join(folder, name)))
}

/** The name contains the format, so that browsers fetch a file in a new format again. */
function packFileOf(widthPx: number): string {
  return `${widthPx}-${PACK_FORMAT}.pack`
}

function packPathOf({ id, revision }: TemplateRecord, widthPx: number): string {
  return `/dashboard/api/templates/${id}/packs/${revision}/${packFileOf(widthPx)}`
}

function previewPathOf(record: TemplateRecord, visitor: Visitor): string {
  const files = mayDownload(record, visitor) ? 'files' : 'preview'
  return `/dashboard/api/templates/${record.id}/${files}/${record.revision}`
}

/** Its owner may; a shared template's bundle is for operators and, if its author allows it, for everyone. */
function mayDownload(record: TemplateRecord, visitor: Visitor): boolean {
  return record.sharesBundle || mayEdit(record, visitor)
}

function mayEdit(record: TemplateRecord, visitor: Visitor): boolean {
  return record.ownerAccountId === null ? isOperator(visitor) : record.ownerAccountId === visitor.account.accountId
}
