import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DashboardTemplate } from '@vitrine/contract'
import { BundleError, describeFault } from '@vitrine/engine'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { BundleUnreadableError } from '../../templates/inspect-bundle.ts'
import type { TemplateRecord } from '../../templates/template-record.ts'
import { TemplateIdTakenError, TemplateQuotaReachedError } from '../../templates/template-store.ts'
import { DashboardError, notAllowed, notFound } from '../dashboard-error.ts'
import { type DashboardServices, type FindVisitor, isOperator, type Visitor } from '../dashboard-services.ts'
import { zipStream } from '../zip-stream.ts'

/** A zip is about as large as what is in it: pictures don't shrink. */
const bundleBytesMax = 200 * 1024 * 1024
/** Private templates of one account: enough for a shop, too few to fill a disk with. */
const privateTemplatesMax = 500

/** A bundle that is wrong all over is told so by its first faults. */
const faultsShown = 100

const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(48),
  search: z.string().max(200).optional(),
  category: z.string().max(200).optional(),
  type: z.enum(['print', 'product']).optional(),
  order: z.enum(['name', 'newest']).default('name'),
})
const templateParameters = z.object({ id: z.string().max(64) })
const fileParameters = templateParameters.extend({ version: z.coerce.number().int(), '*': z.string().max(500) })
const importQuery = z.object({ shared: z.enum(['true', 'false']).default('false') })

/** Files of a bundle are shown to browsers as exactly these, never as pages. */
const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

export function registerTemplateRoutes(
  app: FastifyInstance,
  services: DashboardServices,
  findVisitor: FindVisitor,
): void {
  const { templates, origin } = services
  const resourceOf = (record: TemplateRecord, visitor: Visitor): DashboardTemplate => ({
    id: record.id,
    name: record.name,
    category: record.category,
    frame_count: record.aspectRatios.length,
    thumbnail_url: `${origin}${record.thumbnailPath}`,
    aspect_ratio: record.aspectRatios[0] ?? 1,
    blending_mode: record.blendMode,
    render_mode: record.renderMode,
    surface_type: record.surfaceType,
    is_product_template: record.type === 'product',
    frames: record.aspectRatios.map((aspect_ratio, index) => ({ index, aspect_ratio })),
    look: record.look && {
      width_px: record.look.widthPx,
      height_px: record.look.heightPx,
      tiny: `data:image/jpeg;base64,${record.look.tiny}`,
      outlines: record.look.outlines,
    },
    imported_at: new Date(record.importedAtMs).toISOString(),
    version: record.version,
    owner: record.ownerAccountId === null ? 'shared' : 'own',
    editable: mayEdit(record, visitor),
  })
  const recordOf = async (request: FastifyRequest): Promise<{ visitor: Visitor; record: TemplateRecord }> => {
    const visitor = await findVisitor(request)
    const { id } = templateParameters.parse(request.params)
    const record = (await templates.find([id], visitor.account.accountId)).get(id)
    if (record === undefined) throw notFound('template')
    return { visitor, record }
  }

  app.get('/dashboard/api/templates', async request => {
    const visitor = await findVisitor(request)
    const query = listQuery.parse(request.query)
    const found = await templates.list({ accountId: visitor.account.accountId, ...query })
    return {
      templates: found.templates.map(record => resourceOf(record, visitor)),
      pagination: {
        page: query.page,
        limit: query.limit,
        total: found.total,
        total_pages: Math.ceil(found.total / query.limit),
      },
      categories: found.categories,
    }
  })

  app.get('/dashboard/api/templates/:id', async request => {
    const { visitor, record } = await recordOf(request)
    return resourceOf(record, visitor)
  })

  // The version in the path lets a browser keep the file: it never changes.
  app.get('/dashboard/api/templates/:id/files/:version/*', async (request, reply) => {
    const { record } = await recordOf(request)
    const { version, '*': name } = fileParameters.parse(request.params)
    const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
    if (version !== record.version || !record.files.includes(name) || contentType === undefined) throw notFound('file')
    const { folder } = await templates.localBundle(record)
    return reply
      .header('content-type', contentType)
      .header('cache-control', 'private, max-age=86400, immutable')
      .send(createReadStream(path.join(folder, name)))
  })

  app.get('/dashboard/api/templates/:id/bundle.zip', async (request, reply) => {
    const { record } = await recordOf(request)
    const { folder } = await templates.localBundle(record)
    return reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="${record.id}.zip"`)
      .send(zipStream(folder, record.files))
  })

  app.addContentTypeParser('application/zip', { bodyLimit: bundleBytesMax }, (_request, payload, done) =>
    done(null, payload),
  )
  app.post('/dashboard/api/templates', { bodyLimit: bundleBytesMax }, async request => {
    const visitor = await findVisitor(request)
    const shared = importQuery.parse(request.query).shared === 'true'
    if (shared && !isOperator(visitor)) throw notAllowed()
    const ownerAccountId = shared ? null : visitor.account.accountId
    const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-upload-'))
    try {
      const file = path.join(folder, `${randomUUID()}.zip`)
      await pipeline(limited(request.body), createWriteStream(file, { mode: 0o600 }))
      const { templateId } = await templates.importBundle({
        path: file,
        ownerAccountId,
        ...(shared ? {} : { ownedMax: privateTemplatesMax }),
      })
      return { id: templateId }
    } catch (error) {
      throw refusalOf(error)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  app.post('/dashboard/api/templates/:id/remove', async request => {
    const { visitor, record } = await recordOf(request)
    if (!mayEdit(record, visitor)) throw notAllowed()
    await templates.remove(record.id)
    return {}
  })
}

function mayEdit(record: TemplateRecord, visitor: Visitor): boolean {
  return record.ownerAccountId === null ? isOperator(visitor) : record.ownerAccountId === visitor.account.accountId
}

/** Passes a body through and breaks off past the limit, whatever its length was said to be. */
async function* limited(body: unknown): AsyncGenerator<Uint8Array> {
  if (!(typeof body === 'object' && body !== null && Symbol.asyncIterator in body))
    throw new DashboardError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Expected a zip of a bundle.')
  let sizeBytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > bundleBytesMax) throw new DashboardError(413, 'TOO_LARGE', 'A bundle may have 200 MB at the most.')
    yield chunk
  }
}

/** What a page shows of a refused bundle: its faults, one after the other. */
function refusalOf(error: unknown): unknown {
  if (error instanceof BundleError) {
    const faults = error.faults.filter(fault => fault.severity === 'error')
    const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`
    return new DashboardError(
      400,
      'INVALID_TEMPLATE',
      `This bundle has ${count}.`,
      'Nothing was imported.',
      faults.slice(0, faultsShown).map(describeFault),
    )
  }
  if (error instanceof TemplateQuotaReachedError)
    return new DashboardError(
      409,
      'TEMPLATE_QUOTA',
      `An account holds at most ${privateTemplatesMax} templates of its own.`,
      'Remove one first, or save over one of yours.',
    )
  if (error instanceof BundleUnreadableError)
    return new DashboardError(400, 'INVALID_TEMPLATE', 'This file is no bundle that can be read.')
  if (error instanceof TemplateIdTakenError)
    return new DashboardError(
      409,
      'TEMPLATE_ID_TAKEN',
      'A template of somebody else has this id.',
      'Change "id" in template.json.',
    )
  return error
}
