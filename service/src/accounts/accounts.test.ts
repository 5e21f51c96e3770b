import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Wallet } from '../credits/wallet.ts'
import { Accounts, EmailTakenError, InvalidEmailError } from './accounts.ts'

describeOnBothDatabases('accounts', use => {
  test('a new account has its wallet and its first credits', async () => {
    const accounts = new Accounts(use().database, { clock: () => 1234 })
    await accounts.create({ email: 'first@example.org' })
    assert.equal(await accounts.findOwner(), null)
    const account = await accounts.create({ email: ' Ada@Example.org ', role: 'owner', credits: 1_000 })
    assert.match(account.accountId, /^acc_[0-9A-Za-z]{22}$/)
    assert.deepEqual(await accounts.get(account.accountId), {
      accountId: account.accountId,
      email: 'Ada@Example.org',
      role: 'owner',
      createdAtMs: 1234,
      suspendedAtMs: null,
      deletedAtMs: null,
    })
    assert.deepEqual(await accounts.findOwner(), account)
    const wallet = new Wallet(use().database, { instanceId: 'ins_test' })
    const { spendableCredits, grantedCredits } = await wallet.balance(account.accountId)
    assert.deepEqual([spendableCredits, grantedCredits], [1_000, 1_000])
    assert.deepEqual((await wallet.verifyLedger()).violations, [])
  })

  test('an address belongs to one account, case-insensitively, even with concurrent requests', async () => {
    const accounts = new Accounts(use().database)
    const results = await Promise.allSettled(
      ['Bob@example.org', 'bob@example.org', 'BOB@EXAMPLE.ORG', 'bob@Example.Org'].map(email =>
        accounts.create({ email, credits: 5 }),
      ),
    )
    assert.equal(results.filter(result => result.status === 'fulfilled').length, 1)
    for (const result of results) if (result.status === 'rejected') assert.ok(result.reason instanceof EmailTakenError)
    assert.equal((await accounts.findByEmail('bOb@eXample.org'))?.email.toLowerCase(), 'bob@example.org')
    assert.equal(await accounts.findByEmail('nobody@example.org'), null)
    assert.equal(await accounts.get('acc_none'), null)
  })

  test('invalid addresses are refused', async () => {
    const accounts = new Accounts(use().database)
    for (const email of ['', 'ada', 'a@b@c', 'a b@c.org', 'a\u0000@c.org', `${'x'.repeat(250)}@c.org`]) {
      await assert.rejects(accounts.create({ email }), InvalidEmailError)
    }
    await assert.rejects(accounts.create({ email: 'c@example.org', credits: -1 }), RangeError)
  })

  test('a list has the requested order, page by page', async () => {
    let nowMs = 20_000_000
    const accounts = new Accounts(use().database, { clock: () => nowMs++ })
    for (const [name, credits] of [
      ['m', 5],
      ['Z', 0],
      ['a', 70],
      ['k', 5],
    ] as const)
      await accounts.create({ email: `${name}@ordered.example`, credits })
    for (const [order, names] of [
      ['oldest', 'mZak'],
      ['newest', 'kaZm'],
      ['email', 'akmZ'],
      ['credits', 'amkZ'],
    ] as const) {
      const pages = [1, 2].map(page => accounts.list({ search: '@ordered.example', order, page, limit: 2 }))
      const listed = (await Promise.all(pages)).flatMap(page => page.accounts)
      assert.equal(listed.map(({ email }) => email[0]).join(''), names, order)
    }
  })

  test('the list is complete, oldest first, page by page', async () => {
    let nowMs = 10_000_000
    const accounts = new Accounts(use().database, { clock: () => nowMs++ })
    const created = []
    for (let i = 0; i < 5; i++) created.push(await accounts.create({ email: `list${i}@example.org` }))
    const { total } = await accounts.list()
    const pages = []
    for (let page = 1; page <= Math.ceil(total / 2); page++)
      pages.push(...(await accounts.list({ page, limit: 2 })).accounts)
    assert.equal(pages.length, total)
    const ids = created.map(account => account.accountId)
    assert.deepEqual(
      pages.map(account => account.accountId).filter(id => ids.includes(id)),
      ids,
    )
  })
})
