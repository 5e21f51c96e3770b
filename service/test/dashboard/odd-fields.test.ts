import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditListSchema, createdKeySchema, keyListSchema, rotatedKeySchema } from '@vitrine/contract'
import { z } from 'zod'
import { describeContract } from '../http/test-service.ts'
import { postFrom, Visitor } from './visitor.ts'

const errorBody = z.looseObject({ error: z.string(), code: z.string() })
const PASSWORD = 'correct horse battery staple'

/** Values in place of a text: all other kinds that JSON has. */
const oddValues: readonly unknown[] = [
  {},
  [],
  { toString: 1 },
  { length: 40 },
  ['x'],
  null,
  7,
  true,
  '',
  '\u0000',
  '\uD800',
  'x'.repeat(9_000),
]

const fieldsOfPaths: Readonly<Record<string, readonly string[]>> = {
  '/magic-link/verify': ['token'],
  '/verify-email': ['token'],
  '/reset-password': ['token', 'newPassword'],
  '/sign-in/email': ['email', 'password'],
  '/sign-up/email': ['email', 'password', 'name'],
  '/request-password-reset': ['email'],
  '/change-password': ['currentPassword', 'newPassword'],
  '/two-factor/enable': ['password'],
  '/two-factor/verify-totp': ['code'],
  '/two-factor/verify-backup-code': ['code'],
  '/two-factor/disable': ['password'],
  '/two-factor/generate-backup-codes': ['password'],
}

describeContract(
  'Odd values in the fields of the dashboard',
  use => {
    for (const [path, fields] of Object.entries(fieldsOfPaths))
      test(`${path} refuses them, and never by a 500`, async () => {
        const service = use()
        const visitor = await Visitor.enter(service, 'odd@example.com')
        const good = { token: 'x', email: 'odd@example.com', password: PASSWORD, newPassword: PASSWORD, name: 'Odd' }
        for (const field of fields)
          for (const value of oddValues) {
            const body = { ...good, currentPassword: PASSWORD, code: '123456', [field]: value }
            const sent = JSON.stringify(value).slice(0, 40)
            for (const answer of [
              await postFrom(service.running.url, `/dashboard/auth${path}`, body),
              await visitor.send(`/dashboard/auth${path}`, { json: body }),
            ]) {
              assert.ok(answer.status < 500, `${path} with ${field} ${sent} answered ${answer.status}`)
              if (typeof value !== 'object' || value === null) continue
              assert.equal(answer.status, 400, `${path} with ${field} ${sent}`)
              const { code, error } = errorBody.parse(await answer.json())
              assert.deepEqual([code, error], ['INVALID_FIELD', `${field}: expected a text, a number, true or false.`])
            }
          }
      })

    test('names of keys with invisible characters are refused with the character, others are stored unchanged', async () => {
      const visitor = await Visitor.enter(use(), 'names@example.com')
      for (const [name, what] of [
        ['a\u0000b', /U\+0000/],
        ['zero\u200Bwidth', /U\+200B/],
        ['\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', /U\+1F468/],
        ['half \uD83D', /U\+D83D/],
        ['x'.repeat(101), /name/],
        ['  ', /name/],
        [7, /name/],
        [{}, /name/],
      ] as const) {
        const answer = await visitor.send('/dashboard/api/keys', { json: { name } })
        assert.equal(answer.status, 400, JSON.stringify(name))
        const { code, error } = errorBody.parse(await answer.json())
        assert.equal(code, 'INVALID_FIELD')
        assert.match(error, what)
      }
      const { name } = await visitor.read(createdKeySchema, '/dashboard/api/keys', { name: ' Zürich – 東京 (2) ' })
      assert.equal(name, 'Zürich – 東京 (2)')
    })

    test('limits of a key are stored or refused by name, and a rotation is recorded and happens once', async () => {
      const visitor = await Visitor.enter(use(), 'limits@example.com')
      for (const [limits, field] of [
        [{ expires_at: 'tomorrow' }, /expires_at/],
        [{ expires_at: '2020-01-01T00:00:00Z' }, /expiry/],
        [{ scopes: [] }, /scopes/],
        [{ scopes: ['write'] }, /scopes/],
        [{ allowed_addresses: ['example.org'] }, /allowed addresses.*"example\.org"/],
        [{ allowed_addresses: Array.from({ length: 51 }, (_, i) => `192.0.2.${i}`) }, /allowed_addresses/],
      ] as const) {
        const answer = await visitor.send('/dashboard/api/keys', { json: { name: 'limited', ...limits } })
        assert.equal(answer.status, 400, JSON.stringify(limits))
        assert.match(errorBody.parse(await answer.json()).error, field)
      }
      const expires_at = new Date(Date.now() + 86_400_000).toISOString()
      const made = await visitor.read(createdKeySchema, '/dashboard/api/keys', {
        name: 'limited',
        expires_at,
        scopes: ['read'],
        allowed_addresses: Array.from({ length: 50 }, (_, i) => `192.0.2.${i}`),
      })
      const rotate = (overlap_hours: unknown) =>
        visitor.send(`/dashboard/api/keys/${made.id}/rotate`, { json: { overlap_hours } })
      for (const overlap of [-1, 721, 0.5, '1']) assert.equal((await rotate(overlap)).status, 400, String(overlap))
      const rotated = rotatedKeySchema.parse(await (await rotate(720)).json())
      assert.equal(rotated.old_key_ends_at, expires_at, 'no later than it would have expired')
      const again = await rotate(24)
      assert.deepEqual([again.status, errorBody.parse(await again.json()).code], [409, 'KEY_NOT_ROTATABLE'])
      const { keys, active } = await visitor.read(keyListSchema, '/dashboard/api/keys')
      assert.equal(active, 2)
      const old = keys.find(({ id }) => id === made.id)
      assert.deepEqual([old?.scopes, old?.replaced_by, old?.expires_at], [['read'], rotated.id, expires_at])
      const noted = async () => {
        const { events } = await visitor.read(auditListSchema, '/dashboard/api/account/events')
        return events.find(({ action }) => action === 'key_rotated')
      }
      let event = await noted()
      while (event === undefined) event = await noted()
      assert.equal(event.target, `${made.id} to ${rotated.id}`)
    })
  },
  { environment: { SIGN_UP: 'open' } },
)
