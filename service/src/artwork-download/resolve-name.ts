import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { abortReason } from './download-error.ts'
import { DNS_QUERY_TIMEOUT_MS, DNS_SECOND_FAMILY_MS } from './limits.ts'

export type ResolveOptions = {
  /** Servers to use instead of the system's, as `address` or `address:port`. */
  readonly nameServers?: readonly string[] | undefined
  /** Aborting it cancels every running query. */
  readonly signal: AbortSignal
}

/**
 * The addresses of a name, IPv4 first, by DNS only: no hosts file, no search domain. `getaddrinfo` is not
 * used, because a slow name server would block one of the four threads shared with all file access.
 *
 * Both families are queried at once. One that fails, or lags far behind the other, counts as empty.
 *
 * @returns an empty list if the name does not exist, has no address, or can't be resolved
 */
export async function resolveName(name: string, options: ResolveOptions): Promise<string[]> {
  options.signal.throwIfAborted()
  // Enough tries to reach the download's deadline, which ends a query that is never answered.
  const resolver = new Resolver({ timeout: DNS_QUERY_TIMEOUT_MS, maxTimeout: DNS_QUERY_TIMEOUT_MS, tries: 10 })
  if (options.nameServers !== undefined) resolver.setServers(options.nameServers)
  const stop = () => resolver.cancel()
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    const fourth = addressesOrNone(resolver.resolve4(name))
    const sixth = addressesOrNone(resolver.resolve6(name))
    const first = await Promise.race([nonEmpty(fourth), nonEmpty(sixth), Promise.all([fourth, sixth])])
    if (first === 'some')
      await Promise.race([Promise.all([fourth, sixth]), delay(DNS_SECOND_FAMILY_MS, undefined, { ref: false })])
    resolver.cancel()
    options.signal.throwIfAborted()
    return [...(await fourth), ...(await sixth)]
  } finally {
    options.signal.removeEventListener('abort', stop)
    resolver.cancel()
  }
}

/** The addresses of a name that the operator allows, by the system's resolver, which reads the hosts file. */
export async function resolveVouchedName(name: string, signal: AbortSignal): Promise<string[]> {
  const found = lookup(name, { all: true, order: 'ipv4first' }).then(entries => entries.map(entry => entry.address))
  // getaddrinfo cannot be cancelled; after the signal its result is ignored.
  return Promise.race([addressesOrNone(found), aborted(signal)])
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(abortReason(signal))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

async function addressesOrNone(query: Promise<string[]>): Promise<string[]> {
  try {
    return await query
  } catch {
    // The caller must not be able to tell apart names that are missing, broken or private.
    return []
  }
}

/** Settles only if the query returned addresses, so that an empty result does not win the race. */
function nonEmpty(query: Promise<string[]>): Promise<'some'> {
  return new Promise(resolve => {
    void query.then(addresses => {
      if (addresses.length > 0) resolve('some')
    })
  })
}
