import assert from 'node:assert/strict'
import { it } from 'node:test'
import { accountListSchema, invitationSchema } from '@vitrine/contract'
import { z } from 'zod'
import { describeContract, type TestService } from '../http/test-service.ts'
import { oddAddresses } from './odd-addresses.ts'
import { postFrom, Visitor } from './visitor.ts'

const errorBody = z.looseObject({ error: z.string(), code: z.string() })
const PASSWORD = 'correct horse battery staple'

/** An account as created by an older version, which accepted nearly any text as an address. */
async function makeOldAccount({ running }: TestService, email: string): Promise<string> {
  const { accounts, database } = running.services
  const { accountId } = await accounts.create({ email: `old-${crypto.randomUUID()}@example.com` })
  const address = { email, email_key: email.toLowerCase() }
  await database.queries.updateTable('accounts').set(address).where('id', '=', accountId).execute()
  return accountId
}

describeContract(
  'Text that is not an e-mail address',
  use => {
    it('creates no account for an operator, and the error names it', async () => {
      const service = use()
      const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
      const count = async () => (await operator.read(accountListSchema, '/dashboard/api/accounts')).total
      const before = await count()
      for (const email of [...oddAddresses, '', ' ', 7, null]) {
        const answer = await operator.send('/dashboard/api/accounts', { json: { email, credits: 5 } })
        const { code, error } = errorBody.parse(await answer.json())
        assert.equal(answer.status, 400, String(email))
        if (typeof email === 'string') assert.equal(code, 'INVALID_EMAIL', email)
        if (typeof email === 'string') assert.ok(error.includes(JSON.stringify(email.trim().slice(0, 254))), error)
      }
      assert.equal(await count(), before)
      const good = await operator.read(invitationSchema, '/dashboard/api/accounts', { email: ' Good@example.com ' })
      assert.equal(good.email, 'Good@example.com')
    })

    it('cannot sign up or sign in', async () => {
      const service = use()
      const { url } = service.running
      const { total } = await service.running.services.accounts.list()
      for (const email of oddAddresses)
        for (const path of ['/sign-up/email', '/sign-in/email', '/request-password-reset']) {
          const answer = await postFrom(url, `/dashboard/auth${path}`, { email, password: PASSWORD, name: 'x' })
          assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${email}: ${answer.status}`)
          assert.match(await answer.text(), /"code":"[A-Z_]+"/)
        }
      assert.equal((await service.running.services.accounts.list()).total, total)
    })

    it('becomes nobody’s address', async () => {
      const service = use()
      const person = await Visitor.enter(service, 'person@example.com')
      for (const email of oddAddresses) {
        const answer = await person.send('/dashboard/api/account/email', { json: { email, password: PASSWORD } })
        assert.equal(answer.status, 400, email)
      }
    })

    it('is reported as the reason if an older version created such an account', async () => {
      const service = use()
      const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
      const accountId = await makeOldAccount(service, 'x@localhost')
      const answer = await operator.send(`/dashboard/api/accounts/${accountId}/sign-in-link`, { json: {} })
      const { code, error } = errorBody.parse(await answer.json())
      assert.deepEqual([answer.status, code], [400, 'INVALID_EMAIL'])
      assert.match(error, /^No one can sign in with x@localhost/)
    })
  },
  { environment: { SIGN_UP: 'open', TRUST_PROXY: '127.0.0.1' } },
)
