import { BlockList, isIP, isIPv6 } from 'node:net'
import type { TrustedProxies } from '../settings/setting-types.ts'

/** Fastify's `trustProxy` option. Given a number, Fastify would trust no proxy. */
export function fastifyTrustOf(trusted: TrustedProxies): boolean | string[] | ((_: string, hop: number) => boolean) {
  if (typeof trusted === 'number') return (_, hop) => hop < trusted
  return typeof trusted === 'boolean' ? trusted : [...trusted]
}

/** Tests whether an address is a trusted proxy; if only their number is configured, every address is. */
export function buildProxyTest(trusted: TrustedProxies): (address: string) => boolean {
  if (typeof trusted === 'boolean' || typeof trusted === 'number') return () => trusted !== false
  const networks = new BlockList()
  for (const entry of trusted) {
    const [network = '', bits] = entry.split('/')
    const [family, allBits] = isIPv6(network) ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    networks.addSubnet(network, bits === undefined ? allBits : Number(bits), family)
  }
  return address => isIP(address) > 0 && networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
