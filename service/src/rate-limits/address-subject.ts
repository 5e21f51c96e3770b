import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A client's address without port, zone and IPv4 mapping; null for what is no address. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const withoutPort = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = withoutPort.replace(/%.*$/, '')
  // ipaddr.js also reads "0x7f.1" as IPv4.
  if (!isIPv4(address) && !ipaddr.IPv6.isValid(address)) return null
  return ipaddr.process(address)
}

/** The first `bits` bits of an address, as a network is written. */
export function networkText(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, i) => byte & (0xff00 >> Math.max(0, Math.min(8, bits - 8 * i))) & 0xff)
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}

/**
 * A client's address in one form, however a proxy writes it: ports (`192.0.2.7:1234`, `[2001:db8::1]:1234`),
 * zones and IPv4 in IPv6 are taken off. "unknown" for what is no address.
 */
export function clientAddressOf(text: string): string {
  // Nearly every address is IPv4, and a connection has it in its one form already, or as IPv4 in IPv6.
  const unmapped = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : text
  if (isIPv4(unmapped)) return unmapped
  return parseAddress(text)?.toString() ?? 'unknown'
}

/**
 * Who a client without a key is: its IPv4 address, or the /64 network of its IPv6 address, since a client has
 * all 2^64 addresses of such a network.
 */
export function networkOf(text: string): string {
  const address = parseAddress(text)
  if (address === null) return 'unknown'
  return address instanceof ipaddr.IPv4 ? address.toString() : networkText(address, 64)
}

/** What one provider or site usually has: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function siteOf(text: string): string {
  const address = parseAddress(text)
  if (address === null) return 'unknown'
  return networkText(address, address instanceof ipaddr.IPv4 ? 24 : 48)
}

/** Whether an address is of the machine itself: what connects is the operator's own, often a proxy. */
export function isLoopback(text: string): boolean {
  return parseAddress(text)?.range() === 'loopback'
}

/** The subject that requests without a key are counted for. */
export const addressSubject = (address: string): string => `address:${networkOf(address)}`
