import { randomBytes } from 'node:crypto'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new id: `req_`, the time and 65 random bits, in an alphabet without look-alikes; ids of later requests sort later. */
export function newRequestId(nowMs: number): string {
  let time = ''
  for (let rest = nowMs; time.length < 9; rest = Math.floor(rest / 32)) time = DIGITS.charAt(rest % 32) + time
  return `req_${time}${Array.from(randomBytes(13), byte => DIGITS.charAt(byte % 32)).join('')}`
}
