import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What a client without a key is counted as: its IPv4 address, or its /64 network, all of which it has. */
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
