/** Sends a bundle to the service, which checks and stores it. */
import { importedTemplateSchema, type TemplateOrigin } from '@vitrine/contract'
import { ApiError, read, send } from '../api.ts'
import { templateQuery } from '../queries/templates-query.ts'
import { queryClient } from '../session/session.ts'

/** Resolves with the template's id. Throws ApiError; `faults` names what is wrong with the bundle. */
export async function saveBundle(
  zip: Blob,
  shared: boolean,
  origin: Extract<TemplateOrigin, 'import' | 'editor'> = 'import',
): Promise<string> {
  const response = await send(`/dashboard/api/templates?shared=${shared}&origin=${origin}`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: zip,
  })
  const { id } = await read(response, importedTemplateSchema)
  await refreshTemplate(id)
  return id
}

/** Whether a saved template is shared: that may have changed since its draft was started. */
export async function isSharedNow(id: string, wasShared: boolean): Promise<boolean> {
  try {
    // Offline it fails, where other queries wait.
    const { owner } = await queryClient.fetchQuery({ ...templateQuery(id), staleTime: 0, networkMode: 'always' })
    return owner === 'shared'
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return wasShared // it comes back as it was
    throw error
  }
}

/** For a template with a new current version: known addresses may be of files that are gone. */
export async function refreshTemplate(id: string): Promise<void> {
  for (const queryKey of [['templates'], ['template', id]]) {
    queryClient.removeQueries({ queryKey, type: 'inactive' })
    await queryClient.invalidateQueries({ queryKey })
  }
}
