import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { networkText, parseAddress } from '../rate-limits/address-subject.ts'

/** Normalises an address or network (CIDR): no host bits, ports, zones or IPv4 mapping. Null if invalid. */
export function parseAllowedAddress(text: string): string | null {
  const [, written = '', suffix] = /^([\d.a-f:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? []
  // ipaddr.js also parses "0x7f.1" as IPv4.
  if (!isIPv4(written) && !isIPv6(written)) return null
  const address = ipaddr.parse(written)
  const allBits = address instanceof ipaddr.IPv4 ? 32 : 128
  const bits = suffix === undefined ? allBits : Number(suffix)
  if (bits > allBits) return null
  if (address instanceof ipaddr.IPv4 || !address.isIPv4MappedAddress()) return textOf(address, bits)
  return bits < 96 ? null : textOf(address.toIPv4Address(), bits - 96)
}

function textOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  return bits === 8 * address.toByteArray().length ? address.toString() : networkText(address, bits)
}

/** Whether a client's address is in the list of addresses and networks, as from `parseAllowedAddress`. */
export function isAllowedAddress(clientAddress: string, allowed: readonly string[]): boolean {
  const address = parseAddress(clientAddress)
  if (address === null) return false
  const text = address.toString()
  return allowed.some(each => {
    const slash = each.indexOf('/')
    return slash === -1 ? each === text : networkText(address, Number(each.slice(slash + 1))) === each
  })
}
