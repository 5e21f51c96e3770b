/** *My mockups*: mockups rendered in the dashboard, stored by the service for a limited time. */
import { z } from 'zod'
import { limits } from './limits.ts'

const fileName = z.string().min(1).max(255)
const runId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/)

/** The dashboard's request header with the note of a mockup, as URI-encoded JSON. */
export const MOCKUP_NOTE_HEADER = 'x-mockup-note'

/** The names of a mockup and its artwork, and the run that it is part of. */
export const mockupNoteSchema = z.strictObject({ name: fileName, artwork: fileName, run: runId })
export type MockupNote = z.infer<typeof mockupNoteSchema>

/** The query of a list of mockups. */
export const searchedMockupsSchema = z.object({
  after: z.string().max(64).nullable().default(null),
  search: z.string().max(200).optional(),
  run: runId.optional(),
})
export type SearchedMockups = z.infer<typeof searchedMockupsSchema>

export const storedMockupSchema = z.object({
  id: z.string(),
  /** The Idempotency-Key of its request. */
  key: z.string(),
  name: z.string(),
  artwork: z.string(),
  run: z.string(),
  template_id: z.string(),
  size_bytes: z.int().positive(),
  made_at: z.iso.datetime(),
  has_thumbnail: z.boolean(),
})
export type StoredMockupResource = z.infer<typeof storedMockupSchema>

/** One page. `next_after` is the cursor of the next one; null on the last. */
export const storedMockupListSchema = z.object({
  mockups: z.array(storedMockupSchema),
  next_after: z.string().nullable(),
  /** Of the account, whatever the query. */
  total_count: z.int().nonnegative(),
  total_bytes: z.int().nonnegative(),
  bytes_max: z.int().nonnegative(),
  days: z.int().positive(),
})
export type StoredMockupList = z.infer<typeof storedMockupListSchema>

/** False for a mockup that is not stored, or not yet. */
export const takenThumbnailSchema = z.object({ is_taken: z.boolean() })
export type TakenThumbnail = z.infer<typeof takenThumbnailSchema>

/** The mockups to remove: by id, by run, or all. */
export const removedMockupsSchema = z.union([
  z.strictObject({
    ids: z.array(z.string().max(64)).min(1).max(limits.mockupsRemovedMax),
    run: z.undefined().optional(),
  }),
  z.strictObject({ run: runId, ids: z.undefined().optional() }),
  z.strictObject({ all: z.literal(true), ids: z.undefined().optional(), run: z.undefined().optional() }),
])
export type RemovedMockups = Pick<z.infer<typeof removedMockupsSchema>, 'ids' | 'run'>
