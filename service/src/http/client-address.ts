import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Whether what stands at an address is a proxy that is believed about its client. */
export type ProxyTrust = (address: string, hop: number) => boolean

/** Which proxies are believed: all, none, or those at these addresses and in these networks. Fastify goes by the same. */
export function buildProxyTrust(proxies: boolean | readonly string[]): ProxyTrust {
  return typeof proxies === 'boolean' ? () => proxies : proxyAddr.compile([...proxies])
}

/**
 * The address that a request came from: of the connection or, where that is a proxy that is believed, the one that it names in
 * X-Forwarded-For, and so on. Fastify's `request.ip` is computed by the same function. A connection that has ended has none.
 */
export function clientAddressOf(request: IncomingMessage, isProxy: ProxyTrust): string {
  return proxyAddr(request, isProxy)
}
