import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressSubject, clientAddressOf, siteOf } from './address-subject.ts'

test('an IPv4 client is its address, an IPv6 client its /64 network, however they are written', () => {
  for (const [written, subject] of [
    ['192.0.2.7', 'address:192.0.2.7'],
    ['192.0.2.7:50123', 'address:192.0.2.7'],
    ['::ffff:192.0.2.7', 'address:192.0.2.7'],
    ['[::ffff:192.0.2.7]:443', 'address:192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', 'address:2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:50123', 'address:2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', 'address:2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'address:fe80::/64'],
    ['no address', 'address:unknown'],
    ['0x7f.1', 'address:unknown'],
    ['', 'address:unknown'],
  ] as const)
    assert.equal(addressSubject(written), subject, written)
})

test('a site is the /24 of an IPv4 address and the /48 of an IPv6 address', () => {
  assert.equal(siteOf('192.0.2.7:1'), '192.0.2.0/24')
  assert.equal(siteOf('192.0.2.255'), '192.0.2.0/24')
  assert.notEqual(siteOf('192.0.3.0'), '192.0.2.0/24')
  assert.equal(siteOf('2001:db8:1:2::1'), '2001:db8:1::/48')
  assert.equal(siteOf('2001:db8:1:ffff::1'), '2001:db8:1::/48')
  assert.notEqual(siteOf('2001:db8:2::1'), '2001:db8:1::/48')
  assert.equal(siteOf('?'), 'unknown')
})

test('an address is logged and stored in normal form', () => {
  assert.equal(clientAddressOf('[2001:0db8::0001]:443'), '2001:db8::1')
  assert.equal(clientAddressOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(clientAddressOf('192.0.2.7'), '192.0.2.7')
  assert.equal(clientAddressOf('::FFFF:c000:207'), '192.0.2.7')
  assert.equal(clientAddressOf('192.000.2.7'), 'unknown')
  assert.equal(clientAddressOf('::ffff:1'), '::ffff:1')
})
