import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { emailKeyOf, readCookie } from './device-cookies.ts'
import { hasSecureCookies } from './secure-cookies.ts'

/** As long as the link in the mail. */
const MAX_AGE_SECONDS = 3600
const idPattern = /^[\w-]{22}$/

/**
 * Recognises the browser that chose a sign-up's password when the address is confirmed: its mark is a random
 * id in a cookie, and the link in the mail has a seal over mark and address. Anyone may sign up with anyone's
 * address, but only the reader of the mail knows the seal, and only the browser knows the mark.
 */
export class SignUpMarks {
  readonly #name: string
  readonly #attributes: string
  readonly #secret: string

  constructor({ origin, secret }: { readonly origin: string; readonly secret: string }) {
    const isSecure = hasSecureCookies(origin)
    this.#name = isSecure ? '__Host-vitrine.sign-up' : 'vitrine.sign-up'
    this.#attributes = `Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly;${isSecure ? ' Secure;' : ''} SameSite=Strict`
    this.#secret = secret
  }

  /** The mark of a browser; a new one if it has none. `cookies` is a Cookie header. */
  markOf(cookies: string | undefined): string {
    return this.read(cookies) ?? randomBytes(16).toString('base64url')
  }

  read(cookies: string | undefined): string | null {
    const mark = readCookie(cookies, this.#name)
    return idPattern.test(mark) ? mark : null
  }

  /** The Set-Cookie header of the answer to a sign-up. */
  headerFor(mark: string): string {
    return `${this.#name}=${mark}; ${this.#attributes}`
  }

  sealOf(mark: string, email: string): string {
    return createHmac('sha256', this.#secret)
      .update(`sign-up\0${mark}\0${emailKeyOf(email)}`)
      .digest('base64url')
  }

  /** Whether the browser with this mark chose the password. */
  matches(seal: string, mark: string, email: string): boolean {
    const [received, expected] = [Buffer.from(seal), Buffer.from(this.sealOf(mark, email))]
    return received.length === expected.length && timingSafeEqual(received, expected)
  }
}
