import { act } from '../api.ts'
import { forgetAllText } from '../components/saved-text.ts'
import { renderRuns } from '../gallery/render-runs.ts'
import { scenePool } from '../scenes/scene-pool.ts'
import { queryClient, sessionQuery } from '../session/session.ts'
import { forgetVisit } from '../visit/saved-work.ts'

/** Ends the session on the server; the cookie is worthless from then on. */
export async function signOut(): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey)
  // Together: where the page is left in the middle, no artwork stays behind.
  const forgotten = session === undefined ? null : forgetVisit(session.account.id).catch(() => undefined)
  await Promise.all([act('/dashboard/auth/sign-out'), forgotten])
  forgetPerson()
}

/** Forgets what this tab has loaded and what was typed into it. */
export function forgetPerson(): void {
  queryClient.clear()
  renderRuns.end()
  scenePool.end()
  forgetAllText()
}
