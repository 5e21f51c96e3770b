/** Uploads that are refused while they arrive, and files that are announced and never sent. */
import { setTimeout as delay } from 'node:timers/promises'
import { limits, placementDefaults, proofSchema } from '@vitrine/contract'
import { z } from 'zod'
import { type SentBody, sendBody } from '../test/http/body-client.ts'
import type { Attack, Attacker } from './account-attacks.ts'

const MIB = 1024 * 1024
/** The dashboard takes 120 calls in a minute. */
const PACE_MS = 600

const created = z.object({ id: z.string() })

function post({ service, cookie }: Attacker, path: string, fields: unknown): Promise<Response> {
  const headers = { cookie, origin: service.url, 'content-type': 'application/json' }
  return fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(fields) })
}

function note({ answers }: Attacker, status: number): void {
  answers.set(status, (answers.get(status) ?? 0) + 1)
}

/** Pictures that are none, parts and bundles that are too long: one of each would have ended the process. */
const refusedUploads: Attack = {
  name: '20 refused uploads',
  credits: 0,
  async run(attacker, signal) {
    const { service, cookie } = attacker
    const session = { cookie, origin: service.url }
    const placement = placementDefaults
    const scene = 'oak-frame-portrait'
    const draft = { title: 'x', shop_name: 'x', template_ids: [scene], placements: { [scene]: placement }, colors: {} }
    const proof = proofSchema.parse(await (await post(attacker, '/dashboard/api/proofs', draft)).json())
    const file = { file_name: 'a.psd', size_bytes: 2 * limits.psdPartBytes }
    const { id } = created.parse(await (await post(attacker, '/dashboard/api/imports', file)).json())
    const octets = { ...session, 'content-type': 'application/octet-stream' }
    const zip = { ...session, 'content-type': 'application/zip' }
    const uploads = [
      { path: `/dashboard/api/proofs/${proof.id}/artwork?name=a`, headers: octets, body: Buffer.alloc(5 * MIB, 1) },
      { path: `/dashboard/api/imports/${id}/parts/0`, headers: octets, body: Buffer.alloc(6 * MIB, 1) },
      { path: '/dashboard/api/templates', headers: zip, body: Buffer.alloc(limits.bundleSizeBytesMax + MIB) },
    ]
    for (let round = 0; !signal.aborted; round++) {
      const paced = delay(PACE_MS)
      const upload = uploads[round % uploads.length]
      if (upload === undefined) continue
      const framing: SentBody['framing'] = round % 2 === 0 ? 'length' : 'chunked'
      const answer = await sendBody(service.url, { method: 'POST', ...upload, framing }).catch(() => null)
      note(attacker, answer?.status ?? 0)
      await paced
    }
  },
}

/** Photoshop files of 500 MB each of which no byte comes: others' files must find room. */
const announcedFiles: Attack = {
  name: '21 announced files',
  credits: 0,
  async run(attacker, signal) {
    while (!signal.aborted) {
      const file = { file_name: 'a.psd', size_bytes: limits.psdSizeBytesMax }
      note(attacker, (await post(attacker, '/dashboard/api/imports', file)).status)
      await delay(PACE_MS)
    }
  },
}

export const bodyAttacks: readonly Attack[] = [refusedUploads, announcedFiles]
