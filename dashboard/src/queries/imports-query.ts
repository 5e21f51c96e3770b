import { queryOptions } from '@tanstack/react-query'
import { type PsdImport, psdImportListSchema, psdImportSchema } from '@vitrine/contract'
import { get } from '../api.ts'

/** How often a page polls the progress of a conversion. */
const ASK_MS = 1000

/** Whether a node is working on it. */
export const isConverting = ({ state }: PsdImport): boolean =>
  ['waiting', 'reading', 'drawing', 'checking'].includes(state)

export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['import', id],
    queryFn: ({ signal }) => get(`/dashboard/api/imports/${encodeURIComponent(id)}`, psdImportSchema, signal),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isConverting(data) ? ASK_MS : false),
  })
}

export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => get('/dashboard/api/imports', psdImportListSchema, signal),
})
