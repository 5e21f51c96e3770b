import type { FastifyInstance } from 'fastify'

/** RFC 9116 recommends less than a year, so that an unmaintained file expires. Ours is renewed daily. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000

/**
 * /.well-known/security.txt (RFC 9116): where to report vulnerabilities. Not served without contacts.
 *
 * @param options.publicUrl `PUBLIC_URL`, if set
 */
export function securityContact(
  app: FastifyInstance,
  { contacts, publicUrl }: { readonly contacts: readonly string[]; readonly publicUrl: string | undefined },
): void {
  if (contacts.length === 0) return
  const path = '/.well-known/security.txt'
  app.get(path, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(
      buildSecurityText({
        contacts,
        canonicalUrl: publicUrl === undefined ? null : new URL(path, publicUrl).href,
        nowMs: Date.now(),
      }),
    ),
  )
}

/** The content of the file. It expires at the start of a day, so that it changes only once a day. */
export function buildSecurityText({
  contacts,
  canonicalUrl,
  nowMs,
}: {
  readonly contacts: readonly string[]
  readonly canonicalUrl: string | null
  readonly nowMs: number
}): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString().replace('.000Z', 'Z')
  return [
    ...contacts.map(contact => `Contact: ${contact}`),
    `Expires: ${expires}`,
    ...(canonicalUrl === null ? [] : [`Canonical: ${canonicalUrl}`]),
    '',
  ].join('\n')
}
