import {
  type ImportedTemplate,
  limits,
  newPsdImportSchema,
  newPsdMapSchema,
  type PsdImport,
  type psdImportListSchema,
  type psdMapSchema,
  psdPictures,
  psdRunSchema,
  psdTemplateSchema,
} from '@vitrine/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DashboardError, notFound } from '../../errors/dashboard-error.ts'
import { sendSized } from '../../http/sized-stream.ts'
import { isConverting, type PsdImportRecord } from '../../psd-import/psd-import-store.ts'
import { isFirstPart, isPartOfMap, partSize, placeOfMap } from '../../psd-import/psd-parts.ts'
import { noteEvent } from '../account-events.ts'
import { countImport } from '../count-import.ts'
import { isOperator, type RegisterRoutes, type Visitor } from '../dashboard-services.ts'
import { openOctets, takesOctets } from '../octet-body.ts'
import { isoOf } from '../resources.ts'

const parameters = z.object({ id: z.string().max(64) })
const partParameters = parameters.extend({ part: z.coerce.number().int().min(0).max(1000) })
const pictureParameters = parameters.extend({
  run: z.coerce.number().int().min(1),
  picture: z.enum(psdPictures),
})

/** The first bytes of every PSD and PSB. */
const SIGNATURE = '8BPS'

/**
 * Pictures of the comparison may show an unpublished design: only the browser caches them, for the session.
 */
const CACHED_PICTURE = 'private, max-age=3600, immutable'

/** Photoshop files on their way to a template: received in parts, converted, reviewed, imported. */
export const registerPsdImportRoutes: RegisterRoutes = (app, services, findVisitor) => {
  const { psdImports, psdImportStore } = services
  const recordOf = async (request: FastifyRequest): Promise<{ visitor: Visitor; record: PsdImportRecord }> => {
    const visitor = await findVisitor(request)
    const { id } = parameters.parse(request.params)
    const record = await psdImportStore.find(visitor.account.accountId, id)
    if (record === null) throw notFound('import')
    return { visitor, record }
  }

  app.get('/dashboard/api/imports', async (request): Promise<z.infer<typeof psdImportListSchema>> => {
    const { account } = await findVisitor(request)
    return { imports: (await psdImportStore.list(account.accountId)).map(resourceOf) }
  })

  app.post('/dashboard/api/imports', async (request): Promise<{ id: string }> => {
    const { account } = await findVisitor(request)
    const { file_name: fileName, size_bytes: sizeBytes } = newPsdImportSchema.parse(request.body)
    if (sizeBytes > limits.psdSizeBytesMax) throw new DashboardError('PSD_TOO_LARGE')
    return { id: await psdImportStore.create(account.accountId, { fileName, sizeBytes }) }
  })

  app.get('/dashboard/api/imports/:id', async (request): Promise<PsdImport> => {
    const { record } = await recordOf(request)
    return resourceOf(record)
  })

  app.get('/dashboard/api/imports/:id/parts', async (request): Promise<{ missing: number[] }> => {
    const { record } = await recordOf(request)
    return { missing: [...(await psdImportStore.missingParts(record))] }
  })

  const partOctets = takesOctets({ mediaType: 'application/octet-stream', maxBytes: limits.psdPartBytes })
  app.post('/dashboard/api/imports/:id/parts/:part', partOctets, async (request, reply) => {
    const { record } = await recordOf(request)
    const { part } = partParameters.parse(request.params)
    const isOpen = isPartOfMap(part) ? !isConverting(record) : record.state === 'uploading'
    if (!isOpen) throw new DashboardError('PSD_IMPORT_STATE')
    const sizeBytes = partSize(record, part)
    if (sizeBytes === 0) throw notFound('part')
    using octets = await openOctets(request, reply, services)
    const content = wholePart(octets.content, sizeBytes, isFirstPart(part))
    const isStored = await psdImportStore.putPart(record, part, content)
    if (!isStored) throw notFound('import')
    return {}
  })

  app.post('/dashboard/api/imports/:id/maps', async (request): Promise<z.infer<typeof psdMapSchema>> => {
    const { record } = await recordOf(request)
    const { name, size_bytes: sizeBytes } = newPsdMapSchema.parse(request.body)
    if (sizeBytes > limits.psdMapSizeBytesMax) throw mapTooLarge()
    if (placeOfMap(record.maps, name) >= limits.psdMapsMax) throw tooManyMaps()
    const map = await psdImportStore.addMap(record, { name, sizeBytes })
    if (map === null) throw new DashboardError('PSD_IMPORT_STATE')
    return { first_part: map.firstPart }
  })

  app.post('/dashboard/api/imports/:id/run', async request => {
    const { visitor, record } = await recordOf(request)
    const run = psdRunSchema.parse(request.body)
    await countImport(services.rateLimiter, visitor)
    await psdImports.begin(record, run)
    return {}
  })

  app.get('/dashboard/api/imports/:id/runs/:run/:picture', async (request, reply) => {
    const { record } = await recordOf(request)
    const { run, picture } = pictureParameters.parse(request.params)
    if (run !== record.run || !hasPictures(record)) throw notFound('picture')
    const found = await psdImports.openPicture(record, picture)
    if (found === null) throw notFound('picture')
    const headers = { 'Content-Type': 'image/webp', 'Cache-Control': CACHED_PICTURE }
    await sendSized(reply, { sizeBytes: found.sizeBytes, open: () => found.content }, headers)
    return reply
  })

  app.post('/dashboard/api/imports/:id/template', async (request): Promise<ImportedTemplate> => {
    const { visitor, record } = await recordOf(request)
    const details = psdTemplateSchema.parse(request.body)
    if (details.shared && !isOperator(visitor)) throw new DashboardError('NOT_ALLOWED')
    await countImport(services.rateLimiter, visitor)
    const { templateId } = await psdImports.makeTemplate(record, details)
    noteEvent(services, request, { account: visitor.account, action: 'template_imported', target: templateId })
    // The template exists; if this fails, housekeeping removes the rest.
    await psdImportStore
      .remove(record)
      .catch((error: unknown) => request.log.error({ err: error }, 'import not removed'))
    return { id: templateId }
  })

  app.post('/dashboard/api/imports/:id/remove', async request => {
    const { record } = await recordOf(request)
    await psdImportStore.remove(record)
    return {}
  })
}

/** Of the comparison, or the one that frames are chosen on. */
const hasPictures = ({ state, places }: PsdImportRecord): boolean =>
  state === 'ready' || (state === 'refused' && places.length > 0)

function resourceOf(record: PsdImportRecord): PsdImport {
  return {
    id: record.id,
    file_name: record.fileName,
    size_bytes: record.sizeBytes,
    state: record.state,
    message: record.message,
    choices: [...record.choices],
    places: record.places,
    chosen: [...record.frames],
    missing_maps: [...record.missingMaps],
    maps: record.maps.map(({ name }) => name),
    report: record.report,
    run: record.run,
    has_comparison: record.hasComparison,
    created_at: isoOf(record.createdAtMs),
  }
}

/** Passes on a part, after checking its exact size and the file's signature. @throws DashboardError */
async function* wholePart(
  content: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  isFirst: boolean,
): AsyncGenerator<Uint8Array> {
  let received = 0
  let signature = ''
  for await (const chunk of content) {
    if (isFirst && signature.length < SIGNATURE.length) {
      signature += Buffer.from(chunk.subarray(0, SIGNATURE.length - signature.length)).toString('latin1')
      if (!SIGNATURE.startsWith(signature)) throw new DashboardError('NOT_PHOTOSHOP')
    }
    received += chunk.byteLength
    if (received > sizeBytes) throw otherSize(sizeBytes, 'more')
    yield chunk
  }
  if (received !== sizeBytes) throw otherSize(sizeBytes, received)
}

const mapTooLarge = () =>
  new DashboardError('PSD_TOO_LARGE', {
    message: `A displacement map may have ${limits.psdMapSizeBytesMax / 1e6} MB at most.`,
    hint: 'Choose Layer > Flatten Image, and save again.',
  })

const tooManyMaps = () =>
  new DashboardError('INVALID_FIELD', {
    message: `Expected at most ${limits.psdMapsMax} displacement maps of one Photoshop file.`,
  })

const otherSize = (expected: number, received: number | string) =>
  new DashboardError('INVALID_FIELD', { message: `Expected ${expected} bytes for this part but received ${received}.` })
