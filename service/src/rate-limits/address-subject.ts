import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The subject that a client without a key is counted as: its IPv4 address, or the /64 network of its IPv6
 * address, since a client has all 2^64 addresses of such a network.
 */
export function addressSubject(address: string): string {
  if (isIPv4(address)) return `address:${address}`
  if (!isIPv6(address)) return 'address:unknown'
  const parsed = ipaddr.parse(address.replace(/%.*$/, ''))
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.isIPv4MappedAddress()) return `address:${parsed.toIPv4Address().toString()}`
    return `address:${parsed.parts
      .slice(0, 4)
      .map(part => part.toString(16))
      .join(':')}::/64`
  }
  return `address:${parsed.toString()}`
}
