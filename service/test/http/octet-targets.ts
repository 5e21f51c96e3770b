import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { limits, type ProofResource, placementDefaults, proofAnswerIdSchema, proofSchema } from '@vitrine/contract'
import { zipSync } from 'fflate'
import { z } from 'zod'
import { goodBundle, goodDescription, jsonBytes } from '../../../engine/test/bundles/make-bundle.ts'
import { renderInDashboard } from '../dashboard/render-in-dashboard.ts'
import { Visitor } from '../dashboard/visitor.ts'
import type { TestService } from './test-service.ts'

/** Something that a file can be uploaded to, in a state that accepts it. */
export type OctetTarget = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A valid file, of the maximum length if possible. */
  readonly good: Uint8Array
  /** A file of the same length but the wrong kind. */
  readonly strange: Uint8Array
}

/** The address of a service in this process or another one. */
type ServiceAddress = { readonly running: { readonly url: string } }

export type OctetSender = {
  readonly shop: Visitor
  readonly network: string
  /** The template that its links show. */
  readonly templateId?: string
}

/** A target for every route that accepts a file: a test compares the list with the routes. */
export const octetTargets: Readonly<
  Record<string, (service: ServiceAddress, by: OctetSender) => Promise<OctetTarget>>
> = {
  '/dashboard/api/templates': async (service, { shop }) => ({
    path: '/dashboard/api/templates',
    headers: sessionOf(service, shop, 'application/zip'),
    good: await bundleZip(),
    strange: Buffer.alloc(3_000_000, 7),
  }),
  '/dashboard/api/imports/:id/parts/:part': async (service, { shop }) => {
    const file = { file_name: 'poster.psd', size_bytes: 2 * limits.psdPartBytes }
    const { id } = await shop.read(z.object({ id: z.string() }), '/dashboard/api/imports', file)
    return {
      path: `/dashboard/api/imports/${id}/parts/0`,
      headers: sessionOf(service, shop),
      good: filled('8BPS', limits.psdPartBytes),
      strange: filled('%PDF', limits.psdPartBytes),
    }
  },
  '/dashboard/api/proofs/:proofId/artwork': async (service, { shop, templateId }) => ({
    path: `/dashboard/api/proofs/${(await makeProof(shop, templateId)).id}/artwork?name=poster.png`,
    headers: sessionOf(service, shop),
    good: picture,
    strange: filled('II*\0', limits.artworkSizeBytesMax),
  }),
  '/dashboard/api/proofs/:proofId/stills/:index': async (service, { shop, templateId }) => ({
    path: `/dashboard/api/proofs/${(await makeProof(shop, templateId)).id}/stills/0`,
    headers: sessionOf(service, shop, 'image/jpeg'),
    good: filled('\xff\xd8\xff', limits.proofStillBytesMax),
    strange: filled('\x89PNG\r\n', limits.proofStillBytesMax),
  }),
  '/dashboard/api/mockups/thumbnail': async (service, { shop, templateId = 'one-frame' }) => {
    const note = { name: `${templateId}.jpg`, artwork: 'a.png', run: 'run' }
    const key = await renderInDashboard(shop, templateId, note)
    return {
      path: `/dashboard/api/mockups/thumbnail?${new URLSearchParams({ key, name: note.name }).toString()}`,
      headers: sessionOf(service, shop, 'image/jpeg'),
      good: filled('\xff\xd8\xff', limits.mockupThumbnailBytesMax),
      strange: filled('\x89PNG\r\n', limits.mockupThumbnailBytesMax),
    }
  },
  '/w/:token/answers/:answerId/artwork': async (service, { shop, network, templateId }) => {
    const proof = new URL((await makeProof(shop, templateId)).url).pathname
    const headers = { origin: service.running.url, 'x-forwarded-for': network }
    const seen = { name: 'mine.png', sha256: createHash('sha256').update(picture).digest('hex'), is_own: true }
    const answered = await fetch(`${service.running.url}${proof}/answers`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ hearts: [], word: '', is_approved: false, placements: {}, colors: {}, seen }),
    })
    const { id } = proofAnswerIdSchema.parse(await answered.json())
    return {
      path: `${proof}/answers/${id}/artwork?name=mine.png`,
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      good: picture,
      strange: filled('II*\0', limits.artworkSizeBytesMax),
    }
  },
}

/** The start of a PNG: the rest is not checked. */
const picture = filled('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', limits.artworkSizeBytesMax)

function filled(start: string, sizeBytes: number): Uint8Array {
  const bytes = Buffer.alloc(sizeBytes, 1)
  bytes.write(start, 'latin1')
  return bytes
}

async function bundleZip(): Promise<Uint8Array> {
  const files = { ...(await goodBundle()), 'template.json': jsonBytes({ ...goodDescription(), id: 'sent-by-a-test' }) }
  return zipSync(files, { level: 0 })
}

function makeProof(shop: Visitor, templateId = 'one-frame'): Promise<ProofResource> {
  const placement = placementDefaults
  const draft = { title: 'Posters', shop_name: 'Print & Co.', template_ids: [templateId], colors: {} }
  return shop.read(proofSchema, '/dashboard/api/proofs', { ...draft, placements: { [templateId]: placement } })
}

const sessionOf = ({ running }: ServiceAddress, { cookie }: Visitor, type = 'application/octet-stream') => ({
  cookie,
  origin: running.url,
  'content-type': type,
})

/** A new account for each test, since calls and imports are counted by account and network. */
export async function enterShop(service: TestService, count: number): Promise<OctetSender> {
  const network = `198.51.${100 + (count >> 8)}.${count & 255}`
  return { shop: await Visitor.enter(service, `shop-${count}@example.com`), network }
}

/** Waits until all files and reservations of uploads are gone: some are removed after the answer. */
export async function assertNothingLeft(service: TestService): Promise<void> {
  for (let look = 1; ; look++)
    try {
      return await assertNoRemains(service)
    } catch (error) {
      if (look === 200) throw error
      await delay(20)
    }
}

async function assertNoRemains(service: TestService): Promise<void> {
  const { database, storage } = service.running.services
  for (const [folder, prefix] of [
    ['tmp', 'request-'],
    ['imports', 'import-'],
    ['objects/.drafts', ''],
  ] as const) {
    const names = await readdir(path.join(service.dataDir, folder)).catch(() => [])
    assert.deepEqual(
      names.filter(name => name.startsWith(prefix)),
      [],
      folder,
    )
  }
  const objects = [...(await storage.list('proofs/')), ...(await storage.list('psd-imports/'))].map(({ key }) => key)
  assert.deepEqual(objects, [])
  const proofs = await database.queries.selectFrom('proofs').select(['id', 'file_count', 'file_bytes']).execute()
  const parts = await database.queries.selectFrom('psd_import_parts').select(['import_id', 'part']).execute()
  assert.deepEqual(
    proofs.filter(({ file_count, file_bytes }) => file_count > 0 || file_bytes > 0),
    [],
  )
  assert.deepEqual(parts, [])
}
