import { act } from '../api.ts'
import { forgetAllText } from '../components/saved-text.ts'
import { renderRuns } from '../gallery/render-runs.ts'
import { scenePool } from '../scenes/scene-pool.ts'
import { queryClient, sessionQuery } from '../session/session.ts'
import { forgetVisit } from '../visit/saved-work.ts'

/** Ends the session on the server, which invalidates the cookie. */
export async function signOut(): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey)
  // In parallel, so that no artwork stays behind if the page is closed meanwhile.
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
