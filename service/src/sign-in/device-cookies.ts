import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hasSecureCookies } from './secure-cookies.ts'

/** How long a browser is recognised after its last sign-in. */
const MAX_AGE_SECONDS = 365 * 24 * 3600
const idPattern = /^[\w-]{22}$/

/**
 * Marks browsers that an account has signed in with, so that strangers who guess its password don't use up
 * its owner's attempts (OWASP, "Device cookies"). The cookie grants no access: it is a random id, signed with
 * the e-mail address.
 */
export class DeviceCookies {
  readonly #name: string
  readonly #attributes: string
  readonly #secret: string

  constructor({ origin, secret }: { readonly origin: string; readonly secret: string }) {
    const isSecure = hasSecureCookies(origin)
    this.#name = isSecure ? '__Host-vitrine.device' : 'vitrine.device'
    this.#attributes = `Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly;${isSecure ? ' Secure;' : ''} SameSite=Strict`
    this.#secret = secret
  }

  /** The Set-Cookie header of an answer that signs someone in. */
  headerFor(email: string): string {
    const id = randomBytes(16).toString('base64url')
    return `${this.#name}=${id}.${this.#sign(id, email)}; ${this.#attributes}`
  }

  /** The device id if this address has signed in with it before, else null. `cookies` is a Cookie header. */
  read(cookies: string | undefined, email: string): string | null {
    const [id = '', signature = ''] = readCookie(cookies, this.#name).split('.')
    if (!idPattern.test(id)) return null
    const expected = Buffer.from(this.#sign(id, email))
    const received = Buffer.from(signature)
    return expected.length === received.length && timingSafeEqual(expected, received) ? id : null
  }

  #sign(id: string, email: string): string {
    return createHmac('sha256', this.#secret)
      .update(`device\0${id}\0${emailKeyOf(email)}`)
      .digest('base64url')
  }
}

/** The value of a cookie in a Cookie header; empty if it is missing. */
export function readCookie(cookies: string | undefined, name: string): string {
  const pair = (cookies ?? '').split(';').find(candidate => candidate.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1) ?? ''
}

/** The normal form of an address for attempts and signatures. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase().slice(0, 254)
}
