import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@vitrine/contract'
import { Accounts } from '../../src/accounts/accounts.ts'
import { ApiKeys } from '../../src/api-keys/api-keys.ts'
import { mailKeyExpiries } from '../../src/dashboard/key-expiry-mails.ts'
import { newId } from '../../src/database/new-id.ts'
import type { Mail } from '../../src/mails/mailer.ts'
import { startService } from '../../src/main.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { TestService } from '../http/test-service.ts'
import { describeOnBothDatabases } from '../servers/test-database.ts'
import { MailServer } from './mail-server.ts'

const DAY_MS = 86_400_000
const NOTICE_MS = limits.keyExpiryNoticeDays * DAY_MS
const ORIGIN = 'https://vitrine.example'

describeOnBothDatabases('The mail before a key expires', use => {
  const start = async () => {
    const { database } = use()
    let nowMs = Date.UTC(2030, 0, 1)
    const clock = () => nowMs
    const onError = (error: unknown) => assert.fail(String(error))
    const keys = new ApiKeys(database, { clock, onError })
    const accounts = new Accounts(database, { clock })
    const email = `${newId('acc')}@example.org`
    const { accountId } = await accounts.create({ email })
    const mails: Mail[] = []
    const mailer = { sendsMail: true, send: async (mail: Mail) => void mails.push(mail) }
    return {
      accountId,
      accounts,
      email,
      keys,
      make: (name: string, lifeMs: number | null) =>
        keys.create({ accountId, name, expiresAtMs: lifeMs === null ? null : nowMs + lifeMs }),
      pass: (ms: number) => (nowMs += ms),
      look: (sendsMail = true) => mailKeyExpiries({ database, clock }, { ...mailer, sendsMail }, ORIGIN),
      /** The mails sent to the account since the last call. */
      sent: () => mails.splice(0).filter(({ to }) => to === email),
    }
  }

  test('is sent once for each key, the set number of days before, even if several nodes check concurrently', async () => {
    const { make, pass, look, sent } = await start()
    const { key, display } = await make('Printer', 90 * DAY_MS)
    await make('For ever', null)
    pass(90 * DAY_MS - NOTICE_MS - 1)
    await look()
    assert.deepEqual(sent(), [])
    pass(1)
    await Promise.all([look(), look(), look()])
    const [mail, ...more] = sent()
    assert.deepEqual(more, [])
    assert.match(mail?.text ?? '', /“Printer” \(vt_/)
    assert.match(mail?.text ?? '', /ends on Mon, 01 Apr 2030 00:00:00 GMT/)
    assert.ok(mail?.text.includes(display) && mail.text.includes(`${ORIGIN}/keys`) && !mail.text.includes(key))
    pass(DAY_MS)
    await look()
    assert.deepEqual(sent(), [])
  })

  test('is not sent for keys that are short-lived, rotated, revoked, expired, or unusable', async () => {
    const { accountId, accounts, keys, make, pass, look, sent } = await start()
    await make('Short', 2 * NOTICE_MS - 1)
    const long = 2 * NOTICE_MS
    const [rotated, revoked] = [await make('Rotated', long), await make('Revoked', long)]
    await make('Told', long)
    pass(long - NOTICE_MS)
    await keys.rotate({ keyId: rotated.keyId, expiresAtMs: null, overlapMs: 30 * DAY_MS })
    await keys.revoke({ keyId: revoked.keyId })
    await accounts.suspend(accountId)
    await look()
    assert.deepEqual(sent(), [])
    await accounts.restore(accountId)
    await look()
    assert.deepEqual(
      sent().map(({ text }) => /“(.*)”/.exec(text)?.[1]),
      ['Told'],
    )
    await make('Ended', long)
    pass(long)
    await look()
    assert.deepEqual(sent(), [])
  })

  test('waits for a mail server', async () => {
    const { make, pass, look, sent } = await start()
    await make('Printer', 90 * DAY_MS)
    pass(89 * DAY_MS)
    await look(false)
    assert.deepEqual(sent(), [])
    await look()
    assert.equal(sent().length, 1)
  })
})

test('A service checks for expiring keys when it starts, and sends the mails', async () => {
  await using mails = await MailServer.start()
  await using service = await TestService.start('sqlite', {
    environment: { SMTP_URL: mails.url, SMTP_FROM: 'vitrine@example.com' },
  })
  const { running, settings } = service
  const [key, email] = [await service.customer(), 'customer-1@example.com']
  await running.services.database.queries
    .updateTable('api_keys')
    .set({ created_at_ms: 0, expires_at_ms: Date.now() + DAY_MS })
    .where('id', '=', key.keyId)
    .execute()
  await running.close()
  const again = await startService(settings, { logger: createLogger('error') })
  try {
    assert.match(await mails.mailTo(email), /Your API key .*test.* ends on/)
  } finally {
    await again.close()
  }
})
