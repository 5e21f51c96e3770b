import { randomFillSync } from 'node:crypto'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const RANDOM_LENGTH = 13

/** Random bytes for many ids: asking for a few at a time costs more than all else about an id. */
const pool = Buffer.alloc(RANDOM_LENGTH * 256)
let usedBytes = pool.length

/** A new id: `req_`, the time and 65 random bits, in an alphabet without look-alikes; ids of later requests sort later. */
export function newRequestId(nowMs: number): string {
  if (usedBytes === pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  let time = ''
  for (let rest = nowMs; time.length < 9; rest = Math.floor(rest / 32)) time = DIGITS.charAt(rest % 32) + time
  let id = `req_${time}`
  for (const end = usedBytes + RANDOM_LENGTH; usedBytes < end; usedBytes += 1)
    id += DIGITS.charAt((pool[usedBytes] ?? 0) % 32)
  return id
}
