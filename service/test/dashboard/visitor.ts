import { dashboardSessionSchema } from '@vitrine/contract'
import { z } from 'zod'
import { loadAuthSecret } from '../../src/sign-in/auth-secret.ts'
import { createSignInLink } from '../../src/sign-in/sign-in-link.ts'
import type { TestService } from '../http/test-service.ts'

/** A link that signs a person in to the dashboard of a service under test. */
export async function signInLink(
  service: TestService,
  email: string,
  role: 'owner' | 'customer' = 'customer',
  credits = 100,
): Promise<string> {
  const { accounts } = service.running.services
  const account = (await accounts.findByEmail(email)) ?? (await accounts.create({ email, role, credits }))
  const secret = await loadAuthSecret({ setting: service.settings.AUTH_SECRET, dataDir: service.dataDir })
  return createSignInLink(service.running.services, account, { origin: service.running.url, secret })
}

/** A signed-in person without a browser: sends what our pages would send. */
export class Visitor {
  readonly #url: string
  /** The pages' origin, as the service is told. */
  readonly #origin: string
  cookie: string

  private constructor(url: string, origin: string, cookie: string) {
    this.#url = url
    this.#origin = origin
    this.cookie = cookie
  }

  static async enter(
    service: TestService,
    email: string,
    role: 'owner' | 'customer' = 'customer',
    credits = 100,
  ): Promise<Visitor> {
    return Visitor.bySignInLink(service.running.url, await signInLink(service, email, role, credits))
  }

  /** Signs in to a service in this process or another one. */
  static async bySignInLink(url: string, address: string): Promise<Visitor> {
    const link = new URL(address)
    const answer = await postFrom(url, '/dashboard/auth/magic-link/verify', { token: link.hash.slice(1) })
    if (!answer.ok) throw new Error(`The sign-in link answered ${answer.status}: ${await answer.text()}`)
    return new Visitor(url, url, cookieOf(answer))
  }

  /** The same session, with requests sent to another node of the service. */
  on(url: string): Visitor {
    return new Visitor(url, this.#origin, this.cookie)
  }

  /** Parses an answer by a schema. */
  async read<Form extends z.core.$ZodType>(form: Form, path: string, json?: unknown): Promise<z.output<Form>> {
    const answer = await this.send(path, json === undefined ? {} : { json })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return z.parse(form, await answer.json())
  }

  async accountId(): Promise<string> {
    return (await this.read(dashboardSessionSchema, '/dashboard/api/session')).account.id
  }

  send(path: string, init: RequestInit & { json?: unknown } = {}): Promise<Response> {
    const { json, ...rest } = init
    const headers = new Headers(rest.headers)
    headers.set('cookie', this.cookie)
    if (!headers.has('origin')) headers.set('origin', this.#origin)
    if (json !== undefined) headers.set('content-type', 'application/json')
    return fetch(`${this.#url}${path}`, {
      redirect: 'manual',
      ...rest,
      headers,
      ...(json === undefined ? {} : { method: rest.method ?? 'POST', body: JSON.stringify(json) }),
    })
  }
}

/** What our page at `url` posts, without a session. */
export function postFrom(url: string, path: string, json: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(json),
    redirect: 'manual',
  })
}

export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0] ?? '')
    .join('; ')
}
