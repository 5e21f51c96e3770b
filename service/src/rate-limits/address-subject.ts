import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Parses a client's address without port, zone and IPv4 mapping; null if it is invalid. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const withoutPort = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = withoutPort.replace(/%.*$/, '')
  // ipaddr.js also parses "0x7f.1" as IPv4.
  if (!isIPv4(address) && !ipaddr.IPv6.isValid(address)) return null
  return ipaddr.process(address)
}

/** The network of an address's first `bits` bits, as text. */
export function networkText(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, i) => byte & (0xff00 >> Math.max(0, Math.min(8, bits - 8 * i))) & 0xff)
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}

/**
 * Normalises a client's address, however a proxy writes it: removes ports (`192.0.2.7:1234`,
 * `[2001:db8::1]:1234`), zones and IPv4 mapping. "unknown" if it is invalid.
 */
export function clientAddressOf(text: string): string {
  // A fast path: nearly every address is IPv4, already in normal form or IPv4-mapped.
  const unmapped = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : text
  if (isIPv4(unmapped)) return unmapped
  return parseAddress(text)?.toString() ?? 'unknown'
}

/**
 * The identity of a client without a key: its IPv4 address, or the /64 network of its IPv6 address, since a
 * client has all 2^64 addresses of such a network.
 */
export function networkOf(text: string): string {
  const address = parseAddress(text)
  if (address === null) return 'unknown'
  return address instanceof ipaddr.IPv4 ? address.toString() : networkText(address, 64)
}

/** The network of one provider or site: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function siteOf(text: string): string {
  const address = parseAddress(text)
  if (address === null) return 'unknown'
  return networkText(address, address instanceof ipaddr.IPv4 ? 24 : 48)
}

/** Whether an address is of this machine: a connection from it is the operator's own, often a proxy's. */
export function isLoopback(text: string): boolean {
  return parseAddress(text)?.range() === 'loopback'
}

/** The subject for counting requests without a key. */
export const addressSubject = (address: string): string => `address:${networkOf(address)}`
