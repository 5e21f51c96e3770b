import ipaddr from 'ipaddr.js'

/** How one kind of value is read from text. `expected` completes "Expected ... for NAME". */
export type SettingType<Value> = {
  readonly name: string
  readonly expected: string
  /** The value, or undefined where the text is not of this type. */
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

/** Any text without control characters. */
export const text: SettingType<string> = {
  name: 'text',
  expected: 'a text of at most 1,000 characters without line breaks',
  parse: value => (/^[^\p{Cc}]{1,1000}$/u.test(value) ? value : undefined),
}

export function secret(minimumCharacters: number): SettingType<string> {
  return {
    name: 'secret',
    expected: `a secret of at least ${minimumCharacters} characters without spaces`,
    parse: value => (value.length >= minimumCharacters && /^[!-~]{1,4096}$/.test(value) ? value : undefined),
  }
}

/** A URL with one of the schemes; the value keeps its spelling, without a slash at its end. */
export function url(schemes: readonly string[]): SettingType<string> {
  return {
    name: 'URL',
    expected: `a URL that begins with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`,
    parse: value => {
      const hasScheme = schemes.some(scheme => value.toLowerCase().startsWith(`${scheme}://`))
      return hasScheme && URL.canParse(value) ? value.replace(/\/+$/, '') : undefined
    },
  }
}

/** Such URLs between commas. */
export function urlList(schemes: readonly string[]): SettingType<readonly string[]> {
  const one = url(schemes)
  return {
    name: 'list of URLs',
    expected: `${one.expected}, or several between commas`,
    parse: value => {
      // A password may have commas: those before a scheme separate.
      const entries = value.split(/,\s*(?=[a-z]+:\/\/)/i).map(entry => one.parse(entry.trim()))
      const parsed = entries.filter(entry => entry !== undefined)
      return parsed.length === entries.length ? parsed : undefined
    },
  }
}

const KEY_PREFIX_MAX_LENGTH = 500

/** The first part of object keys, without a slash at its end. */
export const keyPrefix: SettingType<string> = {
  name: 'folder',
  expected: `parts of letters, digits, dots, dashes and underscores between slashes, at most ${KEY_PREFIX_MAX_LENGTH} characters`,
  parse: value => {
    const prefix = value.replace(/\/+$/, '')
    const isPrefix = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/.test(prefix)
    return isPrefix && prefix.length <= KEY_PREFIX_MAX_LENGTH ? prefix : undefined
  },
}

/** An http(s) address without query, fragment or credentials. */
export const publicUrl: SettingType<string> = {
  name: 'URL',
  expected: 'an http:// or https:// URL without query, fragment and credentials',
  parse: value => {
    const address = url(['http', 'https']).parse(value)
    if (address === undefined) return undefined
    const { search, hash, username, password } = new URL(address)
    return search === '' && hash === '' && username === '' && password === '' ? address : undefined
  },
}

function parseHostEntry(entry: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(?::(\d{1,5}))?$/.exec(entry.toLowerCase())
  const port = match?.[2]
  return match === null || (port !== undefined && Number(port) > 65535) ? undefined : entry.toLowerCase()
}

/** Host names or addresses, each with or without a port, between commas. */
export const hostList: SettingType<readonly string[]> = {
  name: 'list of hosts',
  expected: 'hosts such as "assets.internal" or "10.0.0.5:9000", between commas',
  parse: value => parseList(value, parseHostEntry),
}

/** An address that a vulnerability can be told to, as a URI. */
function parseContact(entry: string): string | undefined {
  const uri = /^[^@\s:/]+@[^@\s:/]+\.[^@\s:/]+$/.test(entry) ? `mailto:${entry}` : entry
  return /^(https:\/\/|mailto:[^@]+@|tel:\+\d)[!-~]+$/.test(uri) && URL.canParse(uri) ? uri : undefined
}

/** Mail addresses and addresses of pages, between commas; mail addresses become `mailto:` URIs. */
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

/** `name=value` between commas, values percent-encoded, as OpenTelemetry writes them. */
export const nameValueList: SettingType<Readonly<Record<string, string>>> = {
  name: 'list of name=value',
  expected: 'name=value, between commas, with percent-encoded values',
  parse: value => {
    const entries = parseList(value, entry => {
      const [, name, encoded] = /^([\w.-]+)\s*=\s*([!-~]*)$/.exec(entry) ?? []
      if (name === undefined || encoded === undefined || /%(?![0-9a-f]{2})/i.test(encoded)) return undefined
      return [
        name,
        Buffer.from(
          encoded.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString(),
      ] as const
    })
    return entries === undefined ? undefined : Object.fromEntries(entries)
  },
}

/** The proxies that are trusted about the client's address: all, none, or these networks. */
export type TrustedProxies = boolean | readonly string[]

export const trustedProxies: SettingType<TrustedProxies> = {
  name: 'true | false | list of networks',
  expected: 'true, false, or addresses and networks such as "10.0.0.0/8", between commas',
  parse: value => {
    if (value.toLowerCase() === 'true') return true
    if (value.toLowerCase() === 'false') return false
    return parseList(value, entry => (ipaddr.isValidCIDR(entry) || ipaddr.isValid(entry) ? entry : undefined))
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
