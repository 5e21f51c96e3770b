import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { foldText } from './fold-text.ts'
import { listTemplates } from './template-list.ts'
import type { TemplateQuery } from './template-record.ts'
import { summaryColumn } from './template-rows.ts'

type Listed = { id: string; name: string; category: string; type: 'print' | 'product'; importedAtMs: number }

/** Includes characters beyond the Basic Multilingual Plane, which UTF-16 does not sort by code point. */
const initials = ['a', 'Z', 'é', 'ｚ', '😀', 'b']

async function insert(database: Database, template: Listed, ownerAccountId: string | null, isRemoved = false) {
  const row = newId('tpl')
  await database.queries
    .insertInto('templates')
    .values({
      id: ownerAccountId === null ? template.id : row,
      template_id: ownerAccountId === null ? null : template.id,
      owner_account_id: ownerAccountId,
      version: 1,
      removed_at_ms: isRemoved ? 1 : null,
      name: template.name,
      name_folded: foldText(template.name),
      category: template.category,
      category_folded: foldText(template.category),
      type: template.type,
      summary: summaryColumn({
        id: template.id,
        name: template.name,
        category: template.category,
        type: template.type,
        surfaceType: null,
        renderMode: 'corners',
        blendMode: 'normal',
        aspectRatios: [1],
        slots: [],
        colors: [],
        sharesBundle: false,
      }),
      object_prefix: row,
      files: '[]',
      digest: '',
      thumbnail_token: row,
      imported_at_ms: template.importedAtMs,
      size_bytes: 1,
    })
    .execute()
}

const byNumbers = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The expected page, computed from the complete list. */
function expected(all: readonly Listed[], { type, category, search, order = 'name', page, limit }: TemplateQuery) {
  const found = all
    .filter(each => type === undefined || each.type === type)
    .filter(each => category === undefined || foldText(each.category) === foldText(category))
    .filter(each => search === undefined || foldText(each.name).includes(foldText(search)))
    .sort(
      (a, b) =>
        (order === 'name' ? byNumbers(a.name, b.name) : b.importedAtMs - a.importedAtMs) || byNumbers(a.id, b.id),
    )
  return { ids: found.slice((page - 1) * limit, page * limit).map(({ id }) => id), total: found.length }
}

describeOnBothDatabases('lists of templates', use => {
  test('every page matches the complete list, including for accounts that hide shared templates', async () => {
    const { database } = use()
    const accounts = new Accounts(database)
    const [{ accountId: owner }, { accountId: stranger }] = [
      await accounts.create({ email: 'owner@example.com' }),
      await accounts.create({ email: 'stranger@example.com' }),
    ]
    const make = (i: number, id: string): Listed => ({
      id,
      name: `${initials[i % initials.length]} ${(i * 7) % 10}`,
      category: `Category ${i % 4}`,
      type: i % 3 === 0 ? 'product' : 'print',
      importedAtMs: (i * 5) % 11,
    })
    const shared = Array.from({ length: 60 }, (_, i) => make(i, `shared-${i}`))
    // Some have the id of a shared template, which is then hidden from their owner.
    const own = Array.from({ length: 9 }, (_, i) => make(i * 3 + 1, i % 2 === 0 ? `shared-${i * 6}` : `own-${i}`))
    const hidingAlone = { ...make(5, 'shared-59'), category: 'Mine alone' }
    for (const each of shared) await insert(database, each, null)
    for (const each of [...own, hidingAlone]) await insert(database, each, owner)
    await insert(database, make(1, 'removed'), null, true)
    const ownIds = new Set([...own, hidingAlone].map(({ id }) => id))
    const seenBy = {
      [owner]: [...shared.filter(({ id }) => !ownIds.has(id)), ...own, hidingAlone],
      [stranger]: shared,
    }
    const filters: readonly Partial<TemplateQuery>[] = [
      {},
      { order: 'newest' },
      { type: 'product' },
      { category: 'CATEGORY 2', order: 'newest' },
      { search: 'É' },
      { search: '%' },
      { category: 'none' },
    ]
    for (const [accountId, all] of Object.entries(seenBy)) {
      for (const filter of filters) {
        for (let page = 1; page <= 8; page++) {
          const query = { accountId, page, limit: 9, ...filter }
          const { templates, total, categories } = await listTemplates(database, query)
          assert.deepEqual({ ids: templates.map(({ id }) => id), total }, expected(all, query), JSON.stringify(query))
          assert.deepEqual(categories, [...new Set(all.map(({ category }) => category))].sort())
        }
      }
    }
  })

  test('positions are counted in a covering index, without reading templates', async () => {
    const { database } = use()
    if (database.kind === 'postgres') {
      const { rows } = await sql<{ plan: string }>`select indexdef as plan from pg_indexes
        where indexname in ('templates_by_name', 'templates_by_age')`.execute(database.queries)
      assert.equal(rows.length, 2)
      return
    }
    const query = database.queries
      .selectFrom('templates')
      .select('id')
      .where('owner_account_id', 'is', null)
      .where('removed_at_ms', 'is', null)
      .where('type', '=', 'print')
      .orderBy('name')
      .compile()
    const plan = await database.queries.executeQuery(
      CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
    )
    assert.match(JSON.stringify(plan.rows), /COVERING INDEX templates_by_name/)
  })
})
