import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv6, number]

const globalUnicast: Range = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * The parts of 2000::/3 without public hosts: protocol assignments with Teredo and ORCHID (2001::/23),
 * documentation, 6to4 (embeds any IPv4 address), documentation again (RFC 9637), and AS112. Source: IANA IPv6
 * Special-Purpose Address Registry.
 */
const specialInsideGlobalUnicast: readonly Range[] = [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '2620:4f:8000::/48',
].map(range => ipaddr.IPv6.parseCIDR(range))

/** Azure's host agent: a private service on a public address outside all special ranges. */
const publicByNumberOnly: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether the public internet routes an address to another machine; an allow-list.
 *
 * IPv6 that embeds IPv4 by a well-known prefix (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) is refused.
 * Not recognised: a private prefix that translates IPv6 to IPv4 (RFC 6052), and public addresses that are
 * routed to internal hosts. An egress firewall is the second layer.
 *
 * @param address an address in any form that `ipaddr.js` reads; anything else is not public
 * @param ownAddresses addresses of this machine's interfaces, in any form
 */
export function isPublicAddress(address: string, ownAddresses: readonly string[] = []): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (isOwn(parsed, ownAddresses)) return false
  return parsed instanceof ipaddr.IPv4 ? isPublicIpv4(parsed) : isPublicIpv6(parsed)
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !publicByNumberOnly.has(address.toString())
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  // A zone identifies an interface of this machine: no public address has one.
  if (address.zoneId) return false
  if (!address.match(globalUnicast)) return false
  return !specialInsideGlobalUnicast.some(range => address.match(range)) && !isIsatap(address)
}

/** RFC 5214, section 6.1: the interface identifier is 00-00-5E-FE or 02-00-5E-FE and an IPv4 address. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high, low] = address.parts
  return (high === 0x0000 || high === 0x0200) && low === 0x5efe
}

function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6, ownAddresses: readonly string[]): boolean {
  return ownAddresses.some(own => {
    if (!ipaddr.isValid(own)) return false
    const other = ipaddr.parse(own)
    return other.kind() === address.kind() && bytesEqual(other.toByteArray(), address.toByteArray())
  })
}

function bytesEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** The kind of a URL's host, before any DNS query. */
export type HostKind =
  | { readonly kind: 'address'; readonly address: string; readonly isPublic: boolean }
  | { readonly kind: 'loopback-name' }
  | { readonly kind: 'name'; readonly name: string }

/**
 * Distinguishes IP literals from names. WHATWG parsing has normalised every spelling of an IPv4 address to
 * four decimal numbers, and put IPv6 into brackets. `localhost` and its subdomains are loopback (RFC 6761).
 */
export function classifyHost(hostname: string, ownAddresses: readonly string[] = []): HostKind {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
  if (ipaddr.isValid(bare)) return { kind: 'address', address: bare, isPublic: isPublicAddress(bare, ownAddresses) }
  const name = bare.toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return { kind: 'loopback-name' }
  return { kind: 'name', name }
}
