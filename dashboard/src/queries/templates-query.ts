import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dashboardTemplateListSchema, dashboardTemplateSchema } from '@vitrine/contract'
import { get } from '../api.ts'

/** As in the address. */
export type Marked = {
  show?: 'favourites' | undefined
  tag?: string | undefined
}

export type TemplateFilters = Marked & {
  search?: string | undefined
  category?: string | undefined
  type?: string | undefined
  /** `fit` is handled by the page: scenes that crop the chosen artwork least come first. */
  order?: string | undefined
}

/** The gallery, page by page as the reader scrolls. */
export function templatesQuery({ search, category, type, show, tag, order: shown }: TemplateFilters) {
  const filters = { search, category, type, show, tag, order: shown === 'fit' ? undefined : shown }
  return infiniteQueryOptions({
    queryKey: ['templates', filters],
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({ page: String(pageParam), limit: '48' })
      for (const [name, value] of Object.entries(filters)) if (value !== undefined) parameters.set(name, value)
      return get(`/dashboard/api/templates?${parameters}`, dashboardTemplateListSchema, signal)
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, total_pages } }) => (page < total_pages ? page + 1 : null),
  })
}

export function templateQuery(id: string) {
  return queryOptions({
    queryKey: ['template', id],
    queryFn: ({ signal }) => get(`/dashboard/api/templates/${encodeURIComponent(id)}`, dashboardTemplateSchema, signal),
  })
}
