import assert from 'node:assert/strict'
import {
  checkoutSchema,
  createdKeySchema,
  dashboardUsageSchema,
  proofSchema,
  publishableKeySchema,
  requestListSchema,
} from '@vitrine/contract'
import { unzipSync, zipSync } from 'fflate'
import { z } from 'zod'
import type { TestService } from '../http/test-service.ts'
import { renderInDashboard } from './render-in-dashboard.ts'
import type { Visitor } from './visitor.ts'

/**
 * Gives an owner one thing of each kind, in a service with payments. Returns the parameters of route
 * addresses.
 */
export async function makeOneOfEach(service: TestService, owner: Visitor): Promise<Readonly<Record<string, string>>> {
  const { id: keyId, key } = await owner.read(createdKeySchema, '/dashboard/api/keys', { name: 'k'.repeat(60) })
  await owner.read(publishableKeySchema, '/dashboard/api/publishable-keys', {
    name: 'p'.repeat(60),
    origins: ['https://shop.example'],
  })
  const { url } = await owner.read(checkoutSchema, '/dashboard/api/credits/checkout', { credits: 100 })
  const files = unzipSync(await bytesOf(await owner.send('/dashboard/api/templates/one-frame/bundle.zip')))
  const text = Buffer.from(files['template.json'] ?? []).toString()
  const own = { ...files, 'template.json': Buffer.from(text.replaceAll('one-frame', 'own-frame')) }
  const imported = await owner.send('/dashboard/api/templates', {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: new Uint8Array(zipSync(own)),
  })
  assert.equal(imported.status, 200, await imported.text())
  await owner.send('/dashboard/api/templates/own-frame/marks', { json: { favourite: true, tags: ['a tag'] } })
  const proof = await owner.read(proofSchema, '/dashboard/api/proofs', {
    title: 't'.repeat(100),
    shop_name: 's'.repeat(60),
    template_ids: ['own-frame'],
    placements: {},
    colors: {},
    days: 30,
  })
  const answered = await owner.send(`${new URL(proof.url).pathname}/answers`, {
    json: { hearts: [], word: 'w'.repeat(2000), is_approved: true, placements: {}, colors: {}, seen: null },
  })
  assert.equal(answered.status, 200, await answered.text())
  await renderInDashboard(owner, 'own-frame', {
    name: 'n'.repeat(120),
    artwork: 'a'.repeat(120),
    run: crypto.randomUUID(),
  })
  await owner.read(z.object({ id: z.string() }), '/dashboard/api/imports', { file_name: 'a.psd', size_bytes: 1_000 })
  const artwork_url = `${service.origin.url}/red.png`
  assert.equal((await service.generate(key, { template_id: 'one-frame', artwork_url, width: 20 })).status, 200)
  assert.equal((await service.generate(key, { template_id: 'no-such', artwork_url, width: 20 })).status, 404)
  // Both are counted and logged after their answers.
  for (;;) {
    const { requests } = await owner.read(requestListSchema, '/dashboard/api/requests')
    const usage = await owner.read(dashboardUsageSchema, '/dashboard/api/usage')
    if (requests.length >= 2 && usage.top_templates.length > 0 && usage.failures_by_code.length > 0) break
  }
  return {
    keyId,
    proofId: proof.id,
    id: 'own-frame',
    paymentId: new URL(url).searchParams.get('payment') ?? '',
    '*': 'template.json',
    revision: '1',
    index: '0',
  }
}

const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer())
