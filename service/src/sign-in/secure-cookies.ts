/** Whether cookies can be restricted to this host and to encryption: not if the address is plain http. */
export function hasSecureCookies(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}
