import { isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

/** How one type of value is parsed. `expected` completes "Expected ... for NAME". */
export type SettingType<Value> = {
  readonly name: string
  readonly expected: string
  /** The value, or undefined if the text is invalid. */
  readonly parse: (text: string) => Value | undefined
}

export function integer(minimum: number, maximum: number): SettingType<number> {
  return {
    name: 'integer',
    expected: `an integer from ${minimum} to ${maximum}`,
    parse: text => {
      const value = Number(text)
      return /^\d{1,15}$/.test(text) && value >= minimum && value <= maximum ? value : undefined
    },
  }
}

export function choice<const Values extends readonly string[]>(values: Values): SettingType<Values[number]> {
  return {
    name: values.join(' | '),
    expected: `one of ${values.join(', ')}`,
    parse: text => values.find(value => value === text.toLowerCase()),
  }
}

/** A text that matches a pattern. */
function matching(name: string, expected: string, pattern: RegExp): SettingType<string> {
  return { name, expected, parse: value => (pattern.test(value) ? value : undefined) }
}

/** Any text without control characters. */
export const text = matching(
  'text',
  'a text of at most 1,000 characters without line breaks',
  /^[^\p{Cc}\p{Zl}\p{Zp}]{1,1000}$/u,
)

/** A bucket of S3 or a compatible server: AWS once allowed capitals and underscores, others still do. */
export const bucketName = matching(
  'bucket',
  'the name of a bucket: at most 255 letters, digits, dots, dashes and underscores, a letter or digit first',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/,
)

/** It becomes a part of host names and signatures. */
export const regionName = matching(
  'region',
  'a region such as "eu-central-1", at most 63 letters, digits, dots, dashes and underscores',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
)

export const urlPath = matching('path', 'a path that begins with a slash', /^\/[!-~]{0,1000}$/)

export function secret(minimumCharacters: number): SettingType<string> {
  return {
    name: 'secret',
    expected: `a secret of at least ${minimumCharacters} characters without spaces`,
    parse: value => (value.length >= minimumCharacters && /^[!-~]{1,4096}$/.test(value) ? value : undefined),
  }
}

/** An IP address or a host name. A name whose last part is a number would be parsed as an address. */
function isHost(text: string): boolean {
  if (isIP(text) > 0) return !text.includes('%')
  const isName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.(?!$)|\.?$))+$/i.test(text)
  return isName && text.length <= 253 && !/(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i.test(text)
}

/** The host of a URL without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

export const host: SettingType<string> = {
  name: 'host',
  expected: 'an IP address without a zone, or a host name',
  parse: value => (isHost(value) ? value : undefined),
}

function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded)
    return true
  } catch {
    return false
  }
}

/** A URL with one of the schemes and a host, whose parts can be decoded; undefined for any other text. */
function parseUrl(text: string, schemes: readonly string[]): URL | undefined {
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(text) ?? []
  // The URL parser drops control characters; programs that receive the text do not.
  if (!schemes.includes(scheme.toLowerCase()) || /\p{Cc}/u.test(text) || !URL.canParse(text)) return undefined
  const parsed = new URL(text)
  const { username, password, pathname, port } = parsed
  const isComplete = [username, password, pathname].every(isDecodable) && port !== '0'
  return isComplete && (parsed.hostname === '' || isHost(hostOf(parsed))) ? parsed : undefined
}

const begins = (schemes: readonly string[]): string => schemes.map(scheme => `${scheme}://`).join(' or ')

/** A URL as given, without trailing slashes, and with its scheme in lower case. */
const spelled = (text: string): string => text.replace(/\/+$/, '').replace(/^[a-z]+/i, scheme => scheme.toLowerCase())

/** A URL with one of the schemes and a host; the value retains its spelling. */
export function url(schemes: readonly string[]): SettingType<string> {
  return {
    name: 'URL',
    expected: `a URL with a host that begins with ${begins(schemes)}`,
    parse: value => {
      const parsed = parseUrl(value, schemes)
      return parsed === undefined || parsed.hostname === '' ? undefined : spelled(value)
    },
  }
}

const databaseSchemes = ['postgres', 'postgresql']

/** The address of a PostgreSQL server: a host, or a socket given by the path or by `host` in the query. */
export const databaseUrl: SettingType<string> = {
  name: 'URL',
  expected: `a URL with a host that begins with ${begins(databaseSchemes)}`,
  parse: value => {
    // A socket as host, which cannot be a host name: postgres://%2Fvar%2Frun/database
    const parsed = parseUrl(value.replace(/^(\w+:\/\/(?:[^@/]*@)?)%2F[^/?:]*/i, '$1'), databaseSchemes)
    if (parsed === undefined || parsed.href.length <= `${parsed.protocol}//`.length) return undefined
    return spelled(value)
  },
}

const redisSchemes = ['redis', 'rediss']

/** URLs of Redis servers, separated by commas. The path is a database number. */
export const redisUrls: SettingType<readonly string[]> = {
  name: 'list of URLs',
  expected: `a URL with a host that begins with ${begins(redisSchemes)} and has the number of a database as its path or none, or several between commas`,
  parse: value => {
    // Passwords may contain commas: only commas before a scheme are separators.
    const entries = value.split(/,\s*(?=[a-z]+:\/\/)/i).map(entry => entry.trim())
    const isSound = entries.every(entry => {
      const parsed = parseUrl(entry, redisSchemes)
      return parsed !== undefined && parsed.hostname !== '' && /^(?:\/\d{0,5})?$/.test(parsed.pathname)
    })
    return isSound ? entries.map(spelled) : undefined
  },
}

const KEY_PREFIX_MAX_LENGTH = 500

/** The first part of object keys, without a trailing slash. */
export const keyPrefix: SettingType<string> = {
  name: 'folder',
  expected: `parts of letters, digits, dots, dashes and underscores between slashes, at most ${KEY_PREFIX_MAX_LENGTH} characters`,
  parse: value => {
    const prefix = value.replace(/\/+$/, '')
    const isPrefix = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/.test(prefix)
    return isPrefix && prefix.length <= KEY_PREFIX_MAX_LENGTH ? prefix : undefined
  },
}

const webSchemes = ['http', 'https']

/** An http(s) URL in normal form. */
function webUrl(expected: string, isAllowed: (parsed: URL) => boolean): SettingType<string> {
  return {
    name: 'URL',
    expected,
    parse: value => {
      const parsed = parseUrl(value, webSchemes)
      return parsed !== undefined && isAllowed(parsed) ? parsed.href.replace(/\/+$/, '') : undefined
    },
  }
}

const isBare = ({ search, hash }: URL): boolean => search === '' && hash === ''
const hasNoCredentials = ({ username, password }: URL): boolean => username === '' && password === ''

export const publicUrl = webUrl(
  'an http:// or https:// URL with a host, without query, fragment and credentials',
  parsed => isBare(parsed) && hasNoCredentials(parsed),
)

/** The OpenTelemetry exporter supports credentials in the URL. */
export const collectorUrl = webUrl('an http:// or https:// URL with a host, without query and fragment', isBare)

export const documentUrl = webUrl(
  'an http:// or https:// URL with a host, without fragment and credentials',
  parsed => parsed.hash === '' && hasNoCredentials(parsed),
)

function parseHostEntry(entry: string): string | undefined {
  const [, address, name = '', port = '1'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry.toLowerCase()) ?? []
  const isSound = (address === undefined ? isHost(name) : isIPv6(address)) && Number(port) >= 1 && Number(port) <= 65535
  return isSound ? entry.toLowerCase() : undefined
}

/** Host names or addresses, each with or without a port, separated by commas. */
export const hostList: SettingType<readonly string[]> = {
  name: 'list of hosts',
  expected: 'hosts such as "assets.internal" or "10.0.0.5:9000", between commas',
  parse: value => parseList(value, parseHostEntry),
}

/** A contact for reporting vulnerabilities, as a URI. */
function parseContact(entry: string): string | undefined {
  const uri = isMailAddress(entry) ? `mailto:${entry}` : entry
  if (uri.startsWith('https:')) return documentUrl.parse(uri) === undefined ? undefined : uri
  return /^(mailto:[^@]+@|tel:\+\d)[!-~]+$/.test(uri) && URL.canParse(uri) ? uri : undefined
}

/** Looser than accounts' addresses: a server's own mails may come from `vitrine@mailhost`. */
function isMailAddress(text: string): boolean {
  const [, domain] = /^[!#-'*+\-./\w=?^`{|}~]{1,64}@([^@\s]+)$/.exec(text) ?? []
  return domain !== undefined && isHost(domainToASCII(domain))
}

/** The value of a From header: an address, or a name and an address. */
export const mailSender: SettingType<string> = {
  name: 'sender',
  expected: 'a mail address such as shop@example.com, or a name and an address such as "Shop <shop@example.com>"',
  parse: value => {
    // Without quotes these characters end a name.
    const [, angled] = /^(?:"[^"\\\p{Cc}]*"|[^",;:<>@()[\]\\\p{Cc}]*)\s*<([^<>]+)>$/u.exec(value) ?? []
    return isMailAddress(angled ?? value) ? value : undefined
  },
}

/** Mail addresses and URLs of pages, separated by commas; mail addresses become `mailto:` URIs. */
export const contactList: SettingType<readonly string[]> = {
  name: 'list of contacts',
  expected: 'mail addresses, or URIs that begin with https://, mailto: or tel:+, between commas',
  parse: value => parseList(value, parseContact),
}

export const portList: SettingType<readonly number[]> = {
  name: 'list of ports',
  expected: 'ports from 1 to 65535 such as "80, 443", between commas',
  parse: value =>
    parseList(value, entry => {
      const port = Number(entry)
      return /^\d{1,5}$/.test(entry) && port >= 1 && port <= 65535 ? port : undefined
    }),
}

/** From 0 to 1. */
export const share: SettingType<number> = {
  name: 'number',
  expected: 'a number from 0 to 1',
  parse: value => (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(value) ? Number(value) : undefined),
}

/** `name=value` separated by commas, values percent-encoded, as in OpenTelemetry. */
export const nameValueList: SettingType<Readonly<Record<string, string>>> = {
  name: 'list of name=value',
  expected: 'name=value, between commas, with percent-encoded values',
  parse: value => {
    const entries = parseList(value, entry => {
      const [, name, encoded] = /^([\w.-]+)\s*=\s*([!-~]*)$/.exec(entry) ?? []
      if (name === undefined || encoded === undefined || !isDecodable(encoded)) return undefined
      return [name, decodeURIComponent(encoded)] as const
    })
    return entries === undefined ? undefined : Object.fromEntries(entries)
  },
}

/** Headers that the HTTP client sets itself. */
const ownHeaders =
  /^(?:connection|content-encoding|content-length|content-type|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** Such a list, as request headers. */
export const headerList: SettingType<Readonly<Record<string, string>>> = {
  name: nameValueList.name,
  expected: `${nameValueList.expected} of one line, and without headers of the request's own such as content-length`,
  parse: value => {
    const headers = nameValueList.parse(value)
    const isSound = Object.entries(headers ?? {}).every(
      ([name, content]) => !ownHeaders.test(name) && /^[\t -~\u0080-\u00ff]*$/.test(content),
    )
    return isSound ? headers : undefined
  },
}

/** The proxies trusted to report the client's address: all, none, a number of them, or these networks. */
export type TrustedProxies = boolean | number | readonly string[]

function parseNetwork(entry: string): string | undefined {
  const [, address = '', bits = '1'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  // Zero bits would mean everyone, which is "true".
  const isNetwork = isIP(address) > 0 && Number(bits) >= 1 && Number(bits) <= (isIPv6(address) ? 128 : 32)
  return isNetwork ? entry : undefined
}

export const trustedProxies: SettingType<TrustedProxies> = {
  name: 'true | false | number of proxies | list of networks',
  expected:
    'true, false, a number of proxies from 1 to 10, or addresses and networks such as "10.0.0.0/8", between commas',
  parse: value => {
    if (value.toLowerCase() === 'true') return true
    if (value.toLowerCase() === 'false') return false
    return /^(?:[1-9]|10)$/.test(value) ? Number(value) : parseList(value, parseNetwork)
  },
}

function parseList<Entry>(
  value: string,
  parseEntry: (entry: string) => Entry | undefined,
): readonly Entry[] | undefined {
  const entries = value
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  const parsed = entries.map(parseEntry).filter(entry => entry !== undefined)
  return parsed.length === entries.length && parsed.length > 0 ? parsed : undefined
}
