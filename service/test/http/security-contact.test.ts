import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSecurityText } from '../../src/routes/security-contact.ts'
import { loadSettings, SettingsError } from '../../src/settings/load-settings.ts'
import { TestService } from './test-service.ts'

test('without a contact there is no security.txt', async () => {
  await using service = await TestService.start('sqlite')
  const answer = await fetch(`${service.running.url}/.well-known/security.txt`)
  assert.equal(answer.status, 404)
  assert.partialDeepStrictEqual(await answer.json(), { code: 'NOT_FOUND' })
})

test('security.txt lists the contacts in order, its expiry and its address, without a key', async () => {
  await using service = await TestService.start('sqlite', {
    environment: {
      SECURITY_CONTACT: 'security@example.com, https://example.com/report',
      PUBLIC_URL: 'https://mockups.example.com',
    },
  })
  const answer = await fetch(`${service.running.url}/.well-known/security.txt`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await answer.text()
  const expires = /^Expires: (\d{4}-\d\d-\d\dT00:00:00Z)$/m.exec(text)?.[1] ?? ''
  assert.deepEqual(text.split('\n'), [
    'Contact: mailto:security@example.com',
    'Contact: https://example.com/report',
    `Expires: ${expires}`,
    'Canonical: https://mockups.example.com/.well-known/security.txt',
    '',
  ])
  const daysLeft = (Date.parse(expires) - Date.now()) / 86_400_000
  assert.ok(daysLeft > 178 && daysLeft <= 180, `${daysLeft} days`)
})

test('the file is the same for a whole day, and has its address only if that is known', () => {
  const at = (iso: string) =>
    buildSecurityText({ contacts: ['tel:+1-201-555-0123'], canonicalUrl: null, nowMs: Date.parse(iso) })
  assert.equal(at('2026-11-22T00:00:00Z'), 'Contact: tel:+1-201-555-0123\nExpires: 2027-05-21T00:00:00Z\n')
  assert.equal(at('2026-11-22T23:59:59.999Z'), at('2026-11-22T00:00:00Z'))
  assert.notEqual(at('2026-11-23T00:00:00Z'), at('2026-11-22T00:00:00Z'))
})

test('contacts are addresses that a browser or a mail program opens; others refuse the start', () => {
  for (const contact of [
    'security@example.com',
    'mailto:a@example.com',
    'https://example.com/x',
    'tel:+1-201-555-0123',
  ])
    assert.equal(loadSettings({ SECURITY_CONTACT: contact }).SECURITY_CONTACT.length, 1, contact)
  for (const contact of [
    'security',
    'http://example.com',
    'javascript:alert(1)',
    'a@b@example.com',
    'x\nContact: y',
    '+1 201',
  ])
    assert.throws(() => loadSettings({ SECURITY_CONTACT: contact }), SettingsError, contact)
})
