import { defaults, templateListParameters } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import type { AppServices } from '../app-services.ts'
import { callingKey } from '../http/request-state.ts'
import { type Query, readInteger, readText } from './query-parameters.ts'

/** GET /templates: shared templates and the account's own. */
export function getTemplates(
  app: FastifyInstance,
  { templates }: Pick<AppServices, 'templates'>,
  publicUrl: () => string,
): void {
  app.get<{ Querystring: Query }>('/templates', async request => {
    const { query } = request
    const type = readText(query, 'type', templateListParameters.type)
    const category = readText(query, 'category', templateListParameters.category)
    const search = readText(query, 'search', templateListParameters.search)
    const page = readInteger(query, 'page', templateListParameters.page) ?? defaults.page
    const limit = readInteger(query, 'limit', templateListParameters.limit) ?? defaults.limit
    const { accountId } = callingKey(request.raw)
    return templates.list(
      {
        accountId,
        page,
        limit,
        ...(type === undefined ? {} : { type }),
        ...(category === undefined ? {} : { category }),
        ...(search === undefined ? {} : { search }),
      },
      publicUrl(),
    )
  })
}
