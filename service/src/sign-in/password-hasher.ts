import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import os from 'node:os'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP password storage cheat sheet: Argon2id with 19 MiB, 2 passes, 1 lane. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/**
 * Each hash takes 30 ms of a processor and of one of the four threads that also read files and resolve host
 * names. At most half of the processors, so that the rest are free for mockups.
 */
const concurrentHashesMax = Math.min(2, Math.max(1, Math.floor(os.availableParallelism() / 2)))
/** Beyond these a sign-in is refused instead of queued. */
const WAITING_HASHES_MAX = 64

/** Too many passwords are being checked: try again later. */
export class HashingBusyError extends Error {
  override readonly name = 'HashingBusyError'
}

/** Hashes passwords, a few at a time. */
export class PasswordHasher {
  readonly #concurrentMax: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(concurrentMax = concurrentHashesMax) {
    this.#concurrentMax = concurrentMax
  }

  /** Whether another password would be refused now. */
  get isBusy(): boolean {
    return this.#waiting.length >= WAITING_HASHES_MAX
  }

  /**
   * Runs `work` in order of arrival, with at most `concurrentMax` concurrently.
   * @throws HashingBusyError
   */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#concurrentMax) {
      if (this.isBusy) throw new HashingBusyError('too many passwords are being checked')
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    } else {
      this.#running++
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  /** The PHC string of a password: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16)
    const hash = await this.#derive(password, salt)
    const { memory, passes, parallelism } = parameters
    const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
  }

  /** Whether a password matches a hash; in constant time for equal lengths. */
  async verify({ hash, password }: { readonly hash: string; readonly password: string }): Promise<boolean> {
    const [, , , , salt, expected] = hash.split('$')
    if (salt === undefined || expected === undefined) return false
    const actual = await this.#derive(password, Buffer.from(salt, 'base64'))
    const wanted = Buffer.from(expected, 'base64')
    return wanted.length === actual.length && timingSafeEqual(wanted, actual)
  }

  #derive(password: string, nonce: Buffer): Promise<Buffer> {
    // NFKC, because keyboards compose letters differently (NIST SP 800-63B 5.1.1.2).
    const message = password.normalize('NFKC')
    return this.inTurn(async () => derive('argon2id', { ...parameters, message, nonce }))
  }
}
