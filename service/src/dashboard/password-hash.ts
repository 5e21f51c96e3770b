import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP password storage cheat sheet: Argon2id with 19 MiB, 2 passes, 1 lane. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** Each runs 30 ms on one of the four threads that files and names are read on too: more at once would stall those. */
const concurrentHashesMax = 2
/** Beyond these the sign-in is answered "busy" rather than kept waiting. */
const waitingHashesMax = 64

/** Too many passwords are being checked: try again later. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy'
}

let running = 0
const waiting: (() => void)[] = []

/** Whether one more password would be refused now. */
export function isHashingBusy(): boolean {
  return waiting.length >= waitingHashesMax
}

/** Runs `work` with at most two of its kind at a time, in order of arrival. @throws HashingBusy */
export async function inHashingTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= concurrentHashesMax) {
    if (isHashingBusy()) throw new HashingBusy('too many passwords are being checked')
    await new Promise<void>(resolve => waiting.push(resolve))
  } else {
    running++
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

function derivedKey(password: string, nonce: Buffer): Promise<Buffer> {
  // NFKC, so that a password typed on another keyboard layout or system is the same password (NIST SP 800-63B 5.1.1.2).
  return inHashingTurn(async () => derive('argon2id', { ...parameters, message: password.normalize('NFKC'), nonce }))
}

/** The PHC string of a password: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derivedKey(password, salt)
  const { memory, passes, parallelism } = parameters
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Whether the password is the one whose hash this is; in constant time for equal lengths. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const [, , , , salt, expected] = hash.split('$')
  if (salt === undefined || expected === undefined) return false
  const actual = await derivedKey(password, Buffer.from(salt, 'base64'))
  const wanted = Buffer.from(expected, 'base64')
  return wanted.length === actual.length && timingSafeEqual(wanted, actual)
}
