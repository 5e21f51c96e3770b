import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proofSchema } from '@vitrine/contract'
import { ANSWER_MAILS_PER_ACCOUNT } from '../../src/sign-in/limits.ts'
import { TestService } from '../http/test-service.ts'
import { MailServer } from './mail-server.ts'
import { Visitor } from './visitor.ts'

test('A shop is notified by mail of answers to its links, without the customer’s text, a few times an hour', async () => {
  await using mails = await MailServer.start()
  await using service = await TestService.start('sqlite', {
    environment: { SMTP_URL: mails.url, SMTP_FROM: 'vitrine@example.com' },
  })
  const shop = await Visitor.enter(service, 'shop@example.com')
  const draft = {
    title: 'Poster for the fair',
    shop_name: 'Print & Co.',
    template_ids: ['one-frame'],
    placements: {},
    colors: {},
  }
  const { url } = await shop.read(proofSchema, '/dashboard/api/proofs', draft)
  const origin = service.running.url
  const answer = async (is_approved: boolean) => {
    const given = { hearts: [], word: 'visit evil.example', is_approved, placements: {}, colors: {}, seen: null }
    const answered = await fetch(`${origin}${new URL(url).pathname}/answers`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify(given),
    })
    assert.equal(answered.status, 200)
  }
  const about = /customer/
  await answer(true)
  assert.match(await mails.mailTo('shop@example.com', 1, about), /approved your scenes[^]*Poster for the fair/)
  for (let count = 1; count < ANSWER_MAILS_PER_ACCOUNT + 2; count++) await answer(false)
  await mails.mailTo('shop@example.com', ANSWER_MAILS_PER_ACCOUNT, about)
  const sent = mails.mailsTo('shop@example.com', about)
  assert.equal(sent.length, ANSWER_MAILS_PER_ACCOUNT)
  assert.ok(sent.every(text => text.includes('/links') && !text.includes('evil.example')))
})
