import {
  type ProofAnswer,
  type ProofDraft,
  sharedArtworkSchema,
  storedProofAnswerSchema,
  storedProofSchema,
} from '@vitrine/contract'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../database/schema.ts'

/** A picture attached to a proof or an answer. `object`: the key of its bytes in storage. */
const storedArtworkSchema = sharedArtworkSchema.extend({ object: z.string() })
export type StoredArtwork = z.infer<typeof storedArtworkSchema>

export type Proof = Omit<ProofDraft, 'days'> & {
  readonly id: string
  readonly accountId: string
  /** The secret part of the URL. */
  readonly token: string
  readonly artwork: StoredArtwork | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly revokedAtMs: number | null
  readonly visits: number
  readonly answerCount: number
  /** Answers that the shop has not seen. */
  readonly unreadCount: number
}

/** A proof in a list, without the content of its scenes. */
export type ListedProof = Omit<Proof, 'placements' | 'colors'>

/** One page of a list. `nextAfter` is the cursor of the next one; null on the last. */
export type PageOf<Item> = { readonly items: readonly Item[]; readonly nextAfter: string | null }

export type ReceivedAnswer = ProofAnswer & {
  readonly id: string
  readonly proofId: string
  readonly atMs: number
  readonly artwork: StoredArtwork | null
}

/** The columns of a list, without the content of scenes. */
export const listedColumns = [
  'id',
  'account_id',
  'token',
  'title',
  'shop_name',
  'template_ids',
  'artwork',
  'created_at_ms',
  'expires_at_ms',
  'revoked_at_ms',
  'visits',
  'answer_count',
  'read_count',
] as const satisfies readonly (keyof Schema['proofs'])[]

type ProofRow = Selectable<Schema['proofs']>

const listedProofSchema = storedProofSchema.omit({ placements: true, colors: true })

export function toListedProof(row: Pick<ProofRow, (typeof listedColumns)[number]>): ListedProof {
  const shown = listedProofSchema.parse({
    title: row.title,
    shop_name: row.shop_name,
    template_ids: JSON.parse(row.template_ids),
  })
  return {
    ...shown,
    id: row.id,
    accountId: row.account_id,
    token: row.token,
    artwork: row.artwork === null ? null : storedArtworkSchema.parse(JSON.parse(row.artwork)),
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    visits: row.visits,
    answerCount: row.answer_count,
    unreadCount: row.answer_count - row.read_count,
  }
}

export function toProof(row: ProofRow): Proof {
  const inScenes = storedProofSchema.pick({ placements: true, colors: true })
  return {
    ...toListedProof(row),
    ...inScenes.parse({ placements: JSON.parse(row.placements), colors: JSON.parse(row.colors) }),
  }
}

export function toAnswer(row: Selectable<Schema['proof_answers']>): ReceivedAnswer {
  return {
    ...storedProofAnswerSchema.parse(JSON.parse(row.answer)),
    id: row.id,
    proofId: row.proof_id,
    atMs: row.at_ms,
    artwork: row.artwork === null ? null : storedArtworkSchema.parse(JSON.parse(row.artwork)),
  }
}

/** Makes a page from rows, of which one more than fits was read. */
export function pageOf<Item extends { readonly id: string }>(read: readonly Item[], size: number): PageOf<Item> {
  const items = read.slice(0, size)
  return { items, nextAfter: read.length > size ? (items.at(-1)?.id ?? null) : null }
}
