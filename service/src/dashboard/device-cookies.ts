import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hasSecureCookies } from './auth.ts'

/** For so long a browser is remembered after its last sign-in. */
const maxAgeSeconds = 365 * 24 * 3600
const idPattern = /^[\w-]{22}$/

/**
 * Marks browsers that an account was signed in with, so that strangers who guess at its password from many addresses use up
 * their attempts and not its owner's (OWASP, "Device cookies"). The cookie opens nothing: it is a random id with a signature over
 * the id and the address that signed in.
 */
export class DeviceCookies {
  readonly #name: string
  readonly #attributes: string
  readonly #secret: string

  constructor({ origin, secret }: { readonly origin: string; readonly secret: string }) {
    const isSecure = hasSecureCookies(origin)
    this.#name = isSecure ? '__Host-vitrine.device' : 'vitrine.device'
    this.#attributes = `Max-Age=${maxAgeSeconds}; Path=/; HttpOnly;${isSecure ? ' Secure;' : ''} SameSite=Strict`
    this.#secret = secret
  }

  /** The Set-Cookie header of an answer that signs somebody in. */
  headerFor(email: string): string {
    const id = randomBytes(16).toString('base64url')
    return `${this.#name}=${id}.${this.#sign(id, email)}; ${this.#attributes}`
  }

  /** The id of the device, where this address signed in with it before; else null. `cookies` is a Cookie header. */
  read(cookies: string | undefined, email: string): string | null {
    const prefix = `${this.#name}=`
    const value = (cookies ?? '')
      .split(';')
      .map(pair => pair.trim())
      .find(pair => pair.startsWith(prefix))
      ?.slice(prefix.length)
    const [id = '', signature = ''] = (value ?? '').split('.')
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

/** One form of an address for everything that is counted or signed by it. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase().slice(0, 254)
}
