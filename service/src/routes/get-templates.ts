import { type AnswerOf, defaults, templateListParameters } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/request-state.ts'
import type { Services } from '../services.ts'
import { templateResourceOf } from '../templates/template-resource.ts'
import { type Query, readInteger, readText } from './query-parameters.ts'

/** No list has this many pages; databases reject larger offsets. */
const PAGE_MAX = 10_000_000

/** GET /templates: shared templates and the account's own. */
export function getTemplates(
  app: FastifyInstance,
  { templates }: Pick<Services, 'templates'>,
  publicUrl: string,
): void {
  app.get<{ Querystring: Query }>('/templates', async (request): Promise<AnswerOf<'listTemplates'>> => {
    const { query } = request
    const type = readText(query, 'type', templateListParameters.type)
    const category = readText(query, 'category', templateListParameters.category)
    const search = readText(query, 'search', templateListParameters.search)
    const page = readInteger(query, 'page', templateListParameters.page) ?? defaults.page
    const limit = readInteger(query, 'limit', templateListParameters.limit) ?? defaults.limit
    const found = await templates.list({
      accountId: callerOf(request).accountId,
      page: Math.min(page, PAGE_MAX),
      limit,
      type,
      category,
      search,
    })
    return {
      templates: found.templates.map(template => templateResourceOf(template, publicUrl)),
      pagination: { page, limit, total: found.total, total_pages: Math.ceil(found.total / limit) },
      categories: [...found.categories],
    }
  })
}
