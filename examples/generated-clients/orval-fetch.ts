import { readAnswer } from './bodies.ts'

const { VITRINE_URL = '', VITRINE_API_KEY = '' } = process.env

/** What the client of orval calls. Its own reads every answer of an operation with pictures as a Blob. */
export async function orvalFetch<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const headers = new Headers(options.headers)
  headers.set('Authorization', `Bearer ${VITRINE_API_KEY}`)
  const answer = await fetch(`${VITRINE_URL}/api/v1${path}`, { ...options, headers })
  return { data: await readAnswer(answer), status: answer.status, headers: answer.headers } as Answer
}
