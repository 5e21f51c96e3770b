import { act } from '../api.ts'
import { forgetAllText } from '../components/kept-text.ts'
import { queryClient } from './session.ts'

/** Ends the session on the server; the cookie is worthless from then on. */
export async function signOut(): Promise<void> {
  await act('/dashboard/auth/sign-out')
  forgetPerson()
}

/** Forgets what this tab has loaded and what was typed into it. */
export function forgetPerson(): void {
  queryClient.clear()
  forgetAllText()
}
