import type { TemplateMarks as Marks } from '@vitrine/contract'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import type { Queries } from '../database/schema.ts'
import { foldText } from './fold-text.ts'
import { MARKS_PER_ACCOUNT, TAGS_PER_ACCOUNT } from './limits.ts'

/** Marks favourites among the tags: no real tag is empty. */
export const FAVOURITE = ''

/** The account has the maximum number of marks, or of different tags. */
export class TemplateMarksFullError extends Error {
  override readonly name = 'TemplateMarksFullError'
}

/** Omitted fields stay unchanged. */
type Change = { readonly [Mark in keyof Marks]?: Marks[Mark] | undefined }

type ReadMarks = {
  readonly of: (templateId: string) => Marks
  /** All tags of the account, sorted and without duplicates. */
  readonly tags: readonly string[]
}

/** An account's favourites and tags of templates: private to it, and they outlive a template's removal. */
export class TemplateMarks {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Reads the marks of some templates and all tags of the account in one statement, since every page of a
   * list needs both.
   */
  async read(accountId: string, templateIds: readonly string[]): Promise<ReadMarks> {
    const { queries } = this.#database
    const all = tagsOf(queries, accountId).select(sql<string | null>`cast(null as text)`.as('template_id'))
    const ofTemplates = queries
      .selectFrom('template_marks')
      .select(['tag_folded', 'tag', 'template_id'])
      .where('account_id', '=', accountId)
      .where(is => (templateIds.length === 0 ? sql<SqlBool>`1 = 0` : is('template_id', 'in', templateIds)))
    const rows = await all.unionAll(ofTemplates).execute()
    const byTemplate = Map.groupBy(inOrder(rows), row => row.template_id)
    return {
      of(id) {
        const tags = (byTemplate.get(id) ?? []).map(({ tag }) => tag)
        return { favourite: tags.includes(FAVOURITE), tags: tags.filter(tag => tag !== FAVOURITE) }
      },
      tags: (byTemplate.get(null) ?? []).map(({ tag }) => tag),
    }
  }

  /**
   * Sets the given marks. A tag that the account already has retains its spelling. @throws
   * TemplateMarksFullError
   */
  async set(accountId: string, templateId: string, { favourite, tags }: Change): Promise<void> {
    await this.#database.transaction(async transaction => {
      await lockAccount(this.#database, transaction, accountId)
      const own = transaction
        .deleteFrom('template_marks')
        .where('account_id', '=', accountId)
        .where('template_id', '=', templateId)
      const spellings = tags === undefined ? [] : await tagsOf(transaction, accountId).execute()
      const known = new Map(spellings.map(row => [row.tag_folded, row.tag]))
      const wanted = new Map((tags ?? []).map(tag => [foldText(tag), tag]))
      if (favourite === true) wanted.set(FAVOURITE, FAVOURITE)
      if (favourite !== undefined) await own.where('tag_folded', '=', FAVOURITE).execute()
      if (tags !== undefined) await own.where('tag_folded', '!=', FAVOURITE).execute()
      if (wanted.size === 0) return
      const rows = [...wanted].map(([tag_folded, tag]) => ({
        account_id: accountId,
        template_id: templateId,
        tag_folded,
        tag: known.get(tag_folded) ?? tag,
      }))
      await transaction
        .insertInto('template_marks')
        .values(rows)
        .onConflict(conflict => conflict.doNothing())
        .execute()
      const { marks, different } = await transaction
        .selectFrom('template_marks')
        .select(({ fn }) => [
          fn.countAll<number>().as('marks'),
          fn.count<number>('tag_folded').distinct().as('different'),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      // The mark for favourites is not a tag.
      if (marks > MARKS_PER_ACCOUNT || different > TAGS_PER_ACCOUNT + 1)
        throw new TemplateMarksFullError('This account has as many favourites and tags as it may have.')
    })
  }

  async removeAll(accountId: string): Promise<void> {
    await this.#database.queries.deleteFrom('template_marks').where('account_id', '=', accountId).execute()
  }
}

/** The distinct tags of an account. */
function tagsOf(queries: Queries, accountId: string) {
  return queries
    .selectFrom('template_marks')
    .select(['tag_folded', sql<string>`min(tag)`.as('tag')])
    .where('account_id', '=', accountId)
    .where('tag_folded', '!=', FAVOURITE)
    .groupBy('tag_folded')
}

/** Sorts alike on both databases. */
function inOrder<Row extends { readonly tag_folded: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (a.tag_folded < b.tag_folded ? -1 : 1))
}
