import { lookup, Resolver } from 'node:dns/promises'
import { DNS_QUERY_TIMEOUT_MS, DNS_SECOND_FAMILY_MS } from './limits.ts'

/** How names become addresses. */
export type ResolveOptions = {
  /** Servers to ask instead of the system's, as `address` or `address:port`. */
  readonly nameServers?: readonly string[] | undefined
  /** When it aborts, every query under way ends. */
  readonly signal: AbortSignal
}

/**
 * The addresses of a name, IPv4 first, by DNS alone: no hosts file and no search domain, so that `ip6-localhost` or `metadata`
 * mean nothing here. Asks c-ares, because `getaddrinfo` takes one of the four threads that files and other work share for as
 * long as a slow name server likes.
 *
 * Asks for both families at once. One that fails, or lags far behind one that has answered, counts as empty: connections only
 * ever go to addresses that came back and were looked at.
 *
 * @returns no address when the name does not exist, has none, or can't be looked up
 */
export async function resolveName(name: string, options: ResolveOptions): Promise<string[]> {
  options.signal.throwIfAborted()
  // Asked again for as long as the download's deadline allows: it is that deadline that answers for a server that never does.
  const resolver = new Resolver({ timeout: DNS_QUERY_TIMEOUT_MS, maxTimeout: DNS_QUERY_TIMEOUT_MS, tries: 10 })
  if (options.nameServers !== undefined) resolver.setServers(options.nameServers)
  const stop = () => resolver.cancel()
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    const fourth = addressesOrNone(resolver.resolve4(name))
    const sixth = addressesOrNone(resolver.resolve6(name))
    const first = await Promise.race([nonEmpty(fourth), nonEmpty(sixth), Promise.all([fourth, sixth])])
    if (first === 'some') await Promise.race([Promise.all([fourth, sixth]), delay(DNS_SECOND_FAMILY_MS)])
    resolver.cancel()
    options.signal.throwIfAborted()
    return [...(await fourth), ...(await sixth)]
  } finally {
    options.signal.removeEventListener('abort', stop)
    resolver.cancel()
  }
}

/**
 * The addresses of a name that the operator vouched for, as the system sees it, hosts file included: such names are often known
 * only there.
 */
export async function resolveVouchedName(name: string, signal: AbortSignal): Promise<string[]> {
  const found = lookup(name, { all: true, order: 'ipv4first' }).then(entries => entries.map(entry => entry.address))
  // getaddrinfo can't be cancelled; nobody waits for it beyond the signal.
  return Promise.race([addressesOrNone(found), aborted(signal)])
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason instanceof Error ? signal.reason : new Error('The download was cancelled'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

async function addressesOrNone(query: Promise<string[]>): Promise<string[]> {
  try {
    return await query
  } catch {
    // Why a name has no address is nobody's business: one that does not exist, one that is broken and one that leads into a
    // private network must look the same.
    return []
  }
}

/** Settles only when the query brought something; an empty one leaves the race to the other. */
function nonEmpty(query: Promise<string[]>): Promise<'some'> {
  return new Promise(resolve => {
    void query.then(addresses => {
      if (addresses.length > 0) resolve('some')
    })
  })
}

function delay(timeoutMs: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, timeoutMs).unref()
  })
}
