/** Requests of the proof page: always without a cookie, even if the visitor is signed in. */
import { type ProofAnswer, proofAnswerIdSchema, type SharedProof, sharedProofSchema } from '@vitrine/contract'
import { read, sendUnasked } from '../api.ts'

/** `/w/` followed by the link's secret. */
const base = location.pathname.replace(/\/$/, '')

const call = (path: string, init: RequestInit = {}) => sendUnasked(path, { ...init, credentials: 'omit' })

/** @throws ApiError: 404 if the link has ended */
export async function loadSharedProof(): Promise<SharedProof> {
  return read(await (takeEarlyProof() ?? call(`${base}/proof`)), sharedProofSchema)
}

/** The path of the first scene's still, if there is one. */
export const firstStill = `${base}/stills/0`

/** The response that `early-proof.js` requested, used once; null if it failed and must be requested again. */
function takeEarlyProof(): Promise<Response> | null {
  const { earlyProof = null } = globalThis
  globalThis.earlyProof = undefined
  return (
    earlyProof &&
    earlyProof.then(
      response => (response.ok ? response : call(`${base}/proof`)),
      () => call(`${base}/proof`),
    )
  )
}

declare global {
  /** Set by `early-proof.js`. */
  var earlyProof: Promise<Response> | undefined
}

/** The artwork that the shop has placed. @throws ApiError */
export async function loadShownArtwork({ path, name }: { path: string; name: string }): Promise<File> {
  const bytes = await (await call(path)).blob()
  // A fixed time, so that it counts as the same file each time.
  return new File([bytes], name, { lastModified: 0 })
}

/** Sends an answer and returns its id. @throws ApiError */
export async function sendAnswer(answer: ProofAnswer): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await call(`${base}/answers`, { method: 'POST', headers, body: JSON.stringify(answer) })
  return (await read(response, proofAnswerIdSchema)).id
}

/** Sends the file that belongs to an answer. @throws ApiError */
export async function sendFile(answerId: string, file: File): Promise<void> {
  const path = `${base}/answers/${answerId}/artwork?name=${encodeURIComponent(file.name)}`
  const headers = { 'content-type': 'application/octet-stream' }
  await call(path, { method: 'POST', headers, body: file })
}
