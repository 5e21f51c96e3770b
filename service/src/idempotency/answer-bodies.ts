import { requestTimeOf } from '../database/request-id.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

const PREFIX = 'answers/'

/** A day and an hour: answers are saved for a day from the end of their request. */
const AGE_MAX_MS = 25 * 3_600_000

/** The key of a saved answer's body in object storage. */
export function answerBodyKey(accountId: string, requestId: string): string {
  return `${PREFIX}${accountId}/${requestId}`
}

/**
 * Removes bodies older than any saved answer. They are left behind if a process dies between storing a body
 * and settling its charge, or between deleting an answer and its body. Returns their number.
 */
export async function removeOrphanedBodies(storage: ObjectStorage, nowMs: number): Promise<number> {
  let removed = 0
  for (const { key } of await storage.list(PREFIX)) {
    const storedAtMs = requestTimeOf(key.slice(key.lastIndexOf('/') + 1))
    if (storedAtMs === null || nowMs - storedAtMs <= AGE_MAX_MS) continue
    await storage.delete(key)
    removed += 1
  }
  return removed
}
