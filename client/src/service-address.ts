/** Hosts on this machine and its network, which usually have no certificates. */
const localHost = /^(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\]|[^.:/]+)(?::|\/|$)/i

/** Advice for an address without a scheme, as the end of a sentence; empty if it has one. */
export function schemeAdvice(address: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return ''
  return `: write ${localHost.test(address) ? 'http' : 'https'}://${address.replace(/^\/+/, '')}`
}
