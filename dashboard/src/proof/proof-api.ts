/** What the page behind a link asks the service: without a cookie, also of somebody who is signed in. */
import { type ProofAnswer, proofAnswerIdSchema, type SharedProof, sharedProofSchema } from '@vitrine/contract'
import { read, sendUnasked } from '../api.ts'

/** `/w/` and the secret of the link. */
const base = location.pathname.replace(/\/$/, '')

const call = (path: string, init: RequestInit = {}) => sendUnasked(path, { ...init, credentials: 'omit' })

/** @throws ApiError: 404 where the link has ended */
export async function loadSharedProof(): Promise<SharedProof> {
  return read(await (takeEarlyProof() ?? call(`${base}/proof`)), sharedProofSchema)
}

/** The first scene as it was sent, where there is a picture of it. */
export const firstStill = `${base}/stills/0`

/** What `early-proof.js` has asked for, once; null where that failed, so that it is asked for again. */
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
  /** Of `early-proof.js`. */
  var earlyProof: Promise<Response> | undefined
}

/** The artwork that the shop shows. @throws ApiError */
export async function loadShownArtwork({ path, name }: { path: string; name: string }): Promise<File> {
  const bytes = await (await call(path)).blob()
  // Of the same moment each time: it is one file.
  return new File([bytes], name, { lastModified: 0 })
}

/** Gives an answer, and says its id. @throws ApiError */
export async function sendAnswer(answer: ProofAnswer): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await call(`${base}/answers`, { method: 'POST', headers, body: JSON.stringify(answer) })
  return (await read(response, proofAnswerIdSchema)).id
}

/** Sends the file that an answer was given for. @throws ApiError */
export async function sendFile(answerId: string, file: File): Promise<void> {
  const path = `${base}/answers/${answerId}/artwork?name=${encodeURIComponent(file.name)}`
  const headers = { 'content-type': 'application/octet-stream' }
  await call(path, { method: 'POST', headers, body: file })
}
