/** A URL that attempts to reach a private address. */
export type HostileUrl = {
  readonly url: string
  /**
   * `invalid`: refused with the parameters · `forbidden`: a literal in some spelling · `unresolved`: a name,
   * fails as if it did not exist.
   */
  readonly refusal: 'invalid' | 'forbidden' | 'unresolved'
  readonly why: string
}

const forbidden = (why: string, ...hosts: readonly string[]): HostileUrl[] =>
  hosts.map(host => ({ url: `http://${host}/artwork.png`, refusal: 'forbidden', why }))

const invalid = (why: string, ...urls: readonly string[]): HostileUrl[] =>
  urls.map(url => ({ url, refusal: 'invalid', why }))

const unresolved = (why: string, ...hosts: readonly string[]): HostileUrl[] =>
  hosts.map(host => ({ url: `http://${host}/artwork.png`, refusal: 'unresolved', why }))

/**
 * Literals and spellings: refused from the text alone. Sources: OWASP, imgproxy's and ssrfcheck's advisories,
 * the IANA registries.
 */
export const hostileLiterals: readonly HostileUrl[] = [
  ...forbidden('loopback, plainly', '127.0.0.1', '127.255.255.254', '127.0.0.1:8080', 'localhost', 'LOCALHOST'),
  ...forbidden('loopback, as a name', 'localhost.', 'localhost:6379', 'app.localhost', 'LocalHost.'),
  ...forbidden('loopback, short', '127.1', '127.0.1', '0', '0.0.0.0', '127.0.0.1.'),
  ...forbidden(
    'loopback, other numbers',
    '2130706433',
    '0x7f000001',
    '0x7F.1',
    '017700000001',
    '0177.0.0.1',
    '0x7f.0.0.0x1',
  ),
  ...forbidden('loopback, escaped', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '%6cocalhost'),
  ...forbidden('loopback, other digits', '①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '𝟏𝟐𝟕.𝟎.𝟎.𝟏'),
  ...forbidden('behind confusing text', '127.0.0.1#@example.com', '127.0.0.1?@example.com', '127.0.0.1\\@example.com'),
  ...forbidden(
    'private networks',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.1.1',
  ),
  ...forbidden('private networks, in numbers', '167772161', '0xa000001', '0xc0a80101', '3232235777', '0300.0250.1.1'),
  ...forbidden('carrier networks', '100.64.0.1', '100.127.255.254', '100.100.100.200'),
  ...forbidden(
    'link-local, metadata',
    '169.254.169.254',
    '169.254.170.2',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
  ),
  ...forbidden('metadata elsewhere', '168.63.129.16', '192.0.0.192', '0xa83f8110'),
  ...forbidden(
    'special ranges',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
  ),
  ...forbidden('AS112 and AMT', '192.31.196.1', '192.175.48.1', '192.52.193.1'),
  ...forbidden(
    'multicast, reserved, broadcast',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '0.1.2.3',
  ),
  ...forbidden('IPv6 loopback, unspecified', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::1]:8080', '[0000::0001]'),
  ...forbidden(
    'IPv4-mapped',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:a9fe:a9fe]',
    '[::FFFF:10.0.0.1]',
    '[::ffff:8.8.8.8]',
  ),
  ...forbidden('IPv4-compatible', '[::127.0.0.1]', '[::7f00:1]', '[::a00:1]'),
  ...forbidden('IPv4-translated (SIIT)', '[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]'),
  ...forbidden('NAT64', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::7f00:1]', '[64:ff9b::a9fe:a9fe]'),
  ...forbidden(
    '6to4 and Teredo',
    '[2002:7f00:1::]',
    '[2002:a00:1::1]',
    '[2002:a9fe:a9fe::]',
    '[2001:0:7f00:1::]',
    '[2001::7f00:1]',
  ),
  ...forbidden('ISATAP', '[2606:4700::5efe:127.0.0.1]', '[2606:4700::200:5efe:7f00:1]', '[fe80::5efe:10.0.0.1]'),
  ...forbidden(
    'IPv6 local',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[fdff::1]',
  ),
  ...forbidden('IPv6 multicast', '[ff02::1]', '[ff05::2]', '[ff0e::1]'),
  ...forbidden(
    'IPv6 special',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[100::1]',
    '[100:0:0:1::1]',
    '[2001:2::1]',
    '[2001:10::1]',
  ),
  ...forbidden(
    'IPv6 special, more',
    '[2001:20::1]',
    '[2001:1ff:ffff::1]',
    '[2620:4f:8000::1]',
    '[4000::1]',
    '[1fff::1]',
    '[e000::1]',
  ),
  ...invalid(
    'other schemes',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:6379/_INFO',
    'data:image/png;base64,AA==',
  ),
  ...invalid(
    'other schemes, more',
    'javascript:alert(1)',
    'blob:http://127.0.0.1/1',
    'unix:/var/run/docker.sock',
    'dict://127.0.0.1/',
  ),
  ...invalid(
    'does not begin as promised',
    ' http://127.0.0.1/',
    'http:127.0.0.1',
    'http:/127.0.0.1/',
    '//127.0.0.1/',
    '\thttp://127.0.0.1/',
  ),
  ...invalid(
    'credentials',
    'http://user:pw@127.0.0.1/',
    'http://8.8.8.8@127.0.0.1/',
    'http://@127.0.0.1:x@/',
    'https://a@b.example/',
  ),
  ...invalid('no host', 'http://', 'http:///', 'http://?', 'https://#'),
  ...invalid(
    'no address',
    'http://[::1',
    'http://1.2.3.4.5/',
    'http://256.1.1.1/',
    'http://[::1%25lo]/',
    'http://127.0.0.0x100/',
    'http://a b/',
  ),
  ...invalid('a port beyond all', 'http://127.0.0.1:65536/', 'http://127.0.0.1:-1/'),
]

/** Names that resolve to private addresses, by the answers of the test's own DNS server. */
export const hostileNames: readonly (HostileUrl & {
  readonly a?: readonly string[]
  readonly aaaa?: readonly string[]
})[] = [
  ...unresolved(
    'known to hosts files and search domains only',
    'ip6-localhost',
    'metadata',
    'metadata.google.internal',
    'broadcasthost',
  ),
  ...answering('loopback.test', ['127.0.0.1']),
  ...answering('all-zero.test', ['0.0.0.0']),
  ...answering('private.test', ['10.0.0.1']),
  ...answering('metadata.test', ['169.254.169.254']),
  ...answering('azure.test', ['168.63.129.16']),
  ...answering('carrier.test', ['100.64.0.1']),
  ...answering('private-first.test', ['10.0.0.1', '9.9.9.9']),
  ...answering('private-last.test', ['9.9.9.9', '10.0.0.1']),
  ...answering('private-sixth.test', ['9.9.9.9'], ['::1']),
  ...answering('sixth-loopback.test', [], ['::1']),
  ...answering('sixth-mapped.test', [], ['::ffff:127.0.0.1']),
  ...answering('sixth-local.test', [], ['fd00::1']),
  ...answering('sixth-nat64.test', [], ['64:ff9b::7f00:1']),
  ...answering('sixth-6to4.test', [], ['2002:7f00:1::']),
  ...answering('sixth-link-local.test', [], ['fe80::1']),
  ...answering('sixth-public-and-private.test', [], ['2606:4700::1111', '::1']),
]

function answering(name: string, a: readonly string[], aaaa: readonly string[] = []) {
  return unresolved('a name that leads inside', name).map(hostile => ({ ...hostile, a, aaaa }))
}

/** Public addresses, including those adjacent to private ranges. */
export const publicAddresses: readonly string[] = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '2620:4f:8001::1',
  '2a00:1450::1',
  '3ffe::1',
  '3fff:1000::1',
]
