import { randomBytes } from 'node:crypto'

/** Without letters that look like digits. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 9
const RANDOM_LENGTH = 13

/** `req_`, the time in milliseconds and 65 random bits in base 32; ids of later requests sort later. */
export function newRequestId(): string {
  let time = ''
  for (let rest = Date.now(); time.length < TIME_LENGTH; rest = Math.floor(rest / 32))
    time = DIGITS.charAt(rest % 32) + time
  let id = `req_${time}`
  for (const byte of randomBytes(RANDOM_LENGTH)) id += DIGITS.charAt(byte % 32)
  return id
}

/** When a request began, as its id says, in milliseconds since 1970; null for what is no such id. */
export function requestTimeOf(id: string): number | null {
  const [, time = ''] = /^req_([0-9A-Z]{9})[0-9A-Z]{13}$/.exec(id) ?? []
  let timeMs = 0
  for (const digit of time) timeMs = timeMs * 32 + DIGITS.indexOf(digit)
  return time === '' ? null : timeMs
}
