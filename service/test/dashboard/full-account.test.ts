import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeContract } from '../http/test-service.ts'
import { fillAccount } from './full-account.ts'
import { Visitor } from './visitor.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
/** Ordinary runs have more of everything than a page may read. */
const size = isFull
  ? { keys: 1_000, days: 365, templates: 10_000, mockups: 20_000 }
  : { keys: 250, days: 150, templates: 300, mockups: 600 }

/** Limits of what each page may read from the database, however much there is: rows and statements. */
// Ids in order, then their rows, with two marks each; categories, counts and tags.
const TEMPLATE_PAGE_ROWS = 4 * 48 + 30
const bounds = [
  ['/dashboard/api/session', 10],
  ['/dashboard/api/keys', 110],
  [`/dashboard/api/keys?page=${size.keys / 50}&order=name`, 110],
  ['/dashboard/api/keys?search=laptop&order=last-used', 110],
  ['/dashboard/api/credits', 60],
  ['/dashboard/api/credits?page=10', 60],
  ['/dashboard/api/credits?show=received', 60],
  ['/dashboard/api/credits?show=spent', 60],
  ['/dashboard/api/usage?days=365', 3 * 365 + 30],
  ['/dashboard/api/usage?days=7', 60],
  ['/dashboard/api/account/sessions', 20],
  ['/dashboard/api/templates?page=3', TEMPLATE_PAGE_ROWS],
  ['/dashboard/api/templates?search=scene&category=Proof%20art', TEMPLATE_PAGE_ROWS],
  ['/dashboard/api/templates?show=favourites', TEMPLATE_PAGE_ROWS],
  ['/dashboard/api/templates?tag=client%207', TEMPLATE_PAGE_ROWS],
  ['/dashboard/api/accounts', 160],
  ['/dashboard/api/accounts?search=shop&page=2', 160],
  // The sort keys of accounts are read first, by a separate statement.
  ['/dashboard/api/accounts?search=shop&page=2&order=runs-out', 500, 3],
] as const

/** Tables that the service uses in the background: call counts and heartbeats. */
const background = /"name":"(rate_windows|instances)"/

describeContract('An account that has everything', use => {
  it('takes no more statements per page than an empty account, and few rows', async () => {
    const service = use()
    const { accounts, database } = service.running.services
    let statements = 0
    let rows = 0
    const counted = database.queries.withPlugin({
      transformQuery: ({ node }) => {
        if (!background.test(JSON.stringify(node))) statements += 1
        return node
      },
      transformResult: async ({ result }) => {
        rows += result.rows.length
        return result
      },
    })
    Object.defineProperty(database, 'queries', { value: counted })
    // Other background work is rare, so the minimum of several measurements is the page's cost.
    const measure = async (visitor: Visitor, path: string) => {
      const measured: { statements: number; rows: number; length: number }[] = []
      for (let i = 0; i < (isFull ? 6 : 3); i++) {
        statements = 0
        rows = 0
        const answer = await visitor.send(path)
        assert.equal(answer.status, 200, path)
        const { length } = await answer.text()
        measured.push({ statements, rows, length })
      }
      const least = (of: (each: (typeof measured)[number]) => number) => Math.min(...measured.map(of))
      return {
        statements: least(each => each.statements),
        rows: least(each => each.rows),
        length: least(each => each.length),
      }
    }

    const empty = await Visitor.enter(service, 'empty@example.com', 'owner')
    const before = new Map<string, number>()
    for (const [path] of bounds) before.set(path, (await measure(empty, path)).statements)
    const full = await Visitor.enter(service, 'full@example.com', 'owner')
    await fillAccount(service, await full.accountId(), size)
    for (let i = 0; i < 120; i++) await accounts.create({ email: `customer-${i}@shop.example.org` })
    for (const [path, rowsMax, more = 2] of bounds) {
      const found = await measure(full, path)
      const allowed = before.get(path) ?? 0
      // For an empty page nothing more is read about its items: key uses; account balances and keys.
      assert.ok(
        found.statements > 0 && found.statements <= allowed + more,
        `${path}: ${found.statements} statements, ${allowed} when empty`,
      )
      assert.ok(found.rows > 0 && found.rows <= rowsMax, `${path}: ${found.rows} rows`)
      assert.ok(found.length < 100_000, `${path}: ${found.length} characters`)
    }
    assert.deepEqual((await service.running.services.wallet.verifyLedger()).violations, [])
  })
})
