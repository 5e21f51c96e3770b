import { useQueries } from '@tanstack/react-query'
import type { DashboardTemplate } from '@vitrine/contract'
import { useMemo } from 'react'
import { templateQuery } from '../queries/templates-query.ts'

/** The templates with these ids, including those hidden by a search or on a later page of the list. */
export function usePicked(
  shown: readonly DashboardTemplate[],
  picks: ReadonlySet<string>,
): readonly DashboardTemplate[] {
  const hidden = [...picks].filter(id => !shown.some(template => template.id === id))
  const loaded = useQueries({
    queries: hidden.map(templateQuery),
    combine: results => results.flatMap(({ data }) => (data === undefined ? [] : [data])),
  })
  return useMemo(
    () => [...shown.filter(({ id }) => picks.has(id)), ...loaded.filter(({ id }) => picks.has(id))],
    [shown, picks, loaded],
  )
}
