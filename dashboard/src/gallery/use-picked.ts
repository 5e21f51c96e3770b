import { useQueries } from '@tanstack/react-query'
import type { DashboardTemplate } from '@vitrine/contract'
import { useMemo } from 'react'
import { templateQuery } from '../queries/templates-query.ts'

/** The templates with these ids, also those that a search or a later page of the list hides. */
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
