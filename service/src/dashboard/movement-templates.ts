import type { Movement } from '@vitrine/contract'
import type { DashboardServices } from './dashboard-services.ts'

/** A movement without the names of its templates, and the request that it comes from. */
export type FoundMovement = Omit<Movement, 'templates'> & {
  readonly request: { readonly id: string; readonly atMs: number } | null
}

/** Adds the templates of mockups whose request is still logged. */
export async function nameTemplates(
  { requestLog, templates }: Pick<DashboardServices, 'requestLog' | 'templates'>,
  accountId: string,
  movements: readonly FoundMovement[],
): Promise<Movement[]> {
  const requests = movements.flatMap(({ request }) => (request === null ? [] : [request]))
  const templatesOf = await requestLog.templatesOf(accountId, requests)
  const names = await templates.namesOf([...templatesOf.values()].flat(), accountId)
  return movements.map(({ request, ...movement }) => {
    const ids = request === null ? [] : (templatesOf.get(request.id) ?? [])
    return { ...movement, templates: ids.map(id => ({ id, name: names.get(id) ?? null })) }
  })
}
