import { post } from '../api.ts'

/** Ends the session on the server; the cookie is worthless from then on. */
export async function signOut(): Promise<void> {
  await post('/dashboard/auth/sign-out')
}
