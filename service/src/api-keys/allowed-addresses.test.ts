import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { clientAddressOf } from '../rate-limits/address-subject.ts'
import { isAllowedAddress, parseAllowedAddress } from './allowed-addresses.ts'

test('addresses and networks are stored in one form, however they are written', () => {
  for (const [written, stored] of [
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7/32 ', '192.0.2.7'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['192.0.2.255/25', '192.0.2.128/25'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:0DB8::0001', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:1:2:3::/48', '2001:db8:1::/48'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
  ] as const)
    assert.equal(parseAllowedAddress(written), stored, written)
})

test('text that is neither an address nor a network is refused', () => {
  for (const written of [
    '',
    'example.org',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.7/33',
    '192.0.2.7/',
    '192.0.2.7/-1',
    '192.0.2.7:443',
    '192.0.2.7/24/8',
    '0x7f.1',
    '192.0.2.*',
    '[2001:db8::1]',
    '2001:db8::1/129',
    'fe80::1%eth0',
    '::ffff:192.0.2.7/95',
    '2001:db8::/48,192.0.2.7',
  ])
    assert.equal(parseAllowedAddress(written), null, written)
})

test('an address is allowed if it is in one of the networks, however a proxy writes it', () => {
  for (const [allowed, address, isAllowed] of [
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.0/31', '192.0.2.1', true],
    ['192.0.2.0/31', '192.0.2.2', false],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '192.0.2.7', false],
    ['::/0', '2001:db8::1', true],
    ['2001:db8:1::/48', '2001:db8:1:ffff::1', true],
    ['2001:db8:1::/48', '2001:db8:2::1', false],
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', true],
    ['192.0.2.7', '[::ffff:192.0.2.7]:4711', true],
    ['192.0.2.7', 'unknown', false],
    ['0.0.0.0/0', '', false],
  ] as const)
    assert.equal(isAllowedAddress(clientAddressOf(address), [allowed]), isAllowed, `${address} in ${allowed}`)
  assert.ok(isAllowedAddress('2001:db8::1', ['192.0.2.7', '2001:db8::/32']))
  assert.ok(!isAllowedAddress('192.0.2.7', []))
})

test('an address is in every network with its prefix, and in none whose last bit differs', () => {
  const bytes = fc.uint8Array({ minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 32 }), (address, bits) => {
      const network = parseAllowedAddress(`${address.join('.')}/${bits}`)
      assert.ok(network !== null)
      assert.ok(isAllowedAddress(address.join('.'), [network]))
      const at = (bits - 1) >> 3
      const other = address.with(at, (address[at] ?? 0) ^ (0x80 >> ((bits - 1) & 7)))
      assert.ok(!isAllowedAddress(other.join('.'), [network]))
    }),
  )
})
