import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { MOCKUP_NOTE_HEADER, type MockupNote, storedMockupListSchema } from '@vitrine/contract'
import sharp from 'sharp'
import type { Visitor } from './visitor.ts'

/** Requests a mockup as the dashboard's pages do. */
export async function askInDashboard(
  visitor: Visitor,
  templateId: string,
  { note, key }: { note: MockupNote | string | null; key: string },
): Promise<Response> {
  const form = new FormData()
  form.set('template_id', templateId)
  form.set('width', '64')
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c02020' } })
    .png()
    .toBuffer()
  form.set('artwork', new Blob([new Uint8Array(picture)]), 'artwork')
  const text = typeof note === 'string' ? note : encodeURIComponent(JSON.stringify(note))
  return visitor.send('/dashboard/api/mockups/generate', {
    method: 'POST',
    body: form,
    headers: { 'idempotency-key': key, ...(note === null ? {} : { [MOCKUP_NOTE_HEADER]: text }) },
  })
}

/** Also waits until the mockup is stored. Returns the key of its picture. */
export async function renderInDashboard(visitor: Visitor, templateId: string, note: MockupNote): Promise<string> {
  const key = randomUUID()
  const answer = await askInDashboard(visitor, templateId, { note, key })
  assert.equal(answer.status, 200, answer.status === 200 ? '' : await answer.text())
  await answer.arrayBuffer()
  for (;;) {
    const { mockups } = await visitor.read(storedMockupListSchema, '/dashboard/api/mockups')
    if (mockups.some(mockup => mockup.key === key)) return key
    await delay(20)
  }
}
