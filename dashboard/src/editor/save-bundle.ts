/** Sends a bundle to the service, which checks and keeps it. */
import { importedTemplateSchema } from '@vitrine/contract'
import { read, send } from '../api.ts'
import { queryClient } from '../session/session.ts'

/** Resolves with the template's id. Throws ApiError; `faults` names what is wrong with the bundle. */
export async function saveBundle(zip: Blob, shared: boolean): Promise<string> {
  const response = await send(`/dashboard/api/templates?shared=${shared}`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: zip,
  })
  const { id } = await read(response, importedTemplateSchema)
  // What was known of the version before leads to files and pictures that are gone.
  for (const queryKey of [['templates'], ['template', id]]) {
    queryClient.removeQueries({ queryKey, type: 'inactive' })
    await queryClient.invalidateQueries({ queryKey })
  }
  return id
}
