import assert from 'node:assert/strict'
import { png } from '../../../engine/test/bundles/make-bundle.ts'
import type { VitrineServer } from './vitrine-server.ts'

export function ask(server: VitrineServer, key: string, what: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}/api/v1${what}`, { ...init, headers: { Authorization: `Bearer ${key}` } })
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  const value: unknown = await response.json()
  assert.ok(value !== null && typeof value === 'object')
  return { ...value }
}

export async function balance(server: VitrineServer, key: string): Promise<unknown> {
  return (await readJson(await ask(server, key, '/billing/balance')))['balance_credits']
}

export async function templateIds(server: VitrineServer, key: string): Promise<string[]> {
  const { templates } = await readJson(await ask(server, key, '/templates?limit=100'))
  assert.ok(Array.isArray(templates))
  return templates.map(({ id }) => String(id))
}

export async function generate(server: VitrineServer, key: string, templateId: string): Promise<Response> {
  const form = new FormData()
  form.set('template_id', templateId)
  form.set('width', '120')
  form.set('artwork', new Blob([Buffer.from(await png(60, 80))]), 'artwork.png')
  return ask(server, key, '/mockups/generate', { method: 'POST', body: form })
}
