/** Hosts of this machine and its network, which have no certificates as a rule. */
const localHost = /^(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\]|[^.:/]+)(?::|\/|$)/i

/** What an address of a service lacks, as the end of a sentence; empty where it has a scheme. */
export function schemeAdvice(address: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return ''
  return `: write ${localHost.test(address) ? 'http' : 'https'}://${address.replace(/^\/+/, '')}`
}
