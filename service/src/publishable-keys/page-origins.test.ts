import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedOrigin, parsePageOrigin } from './page-origins.ts'

test('origins are stored as browsers send them, however they are written', () => {
  for (const [written, stored] of [
    ['https://shop.example', 'https://shop.example'],
    [' https://Shop.Example/ ', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https://läden.example', 'https://xn--lden-loa.example'],
    ['https://192.0.2.7', 'https://192.0.2.7'],
    ['http://localhost', 'http://localhost'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['HTTP://LOCALHOST:*', 'http://localhost:*'],
  ] as const)
    assert.equal(parsePageOrigin(written), stored, written)
})

test('text that is not an origin, or not a safe one, is refused', () => {
  for (const written of [
    '',
    '*',
    'null',
    'shop.example',
    'http://shop.example',
    'http://localhost.example',
    'http://127.0.0.1:3000',
    'https://*.shop.example',
    'https://shop.example:*',
    'https://shop.example/page',
    'https://shop.example/?a=1',
    'https://shop.example#top',
    'https://user@shop.example',
    'https://shop.example https://other.example',
    'https://shop.example\\@evil.example',
    'https:shop.example',
    'https://',
    'ftp://shop.example',
    'file:///etc/passwd',
  ])
    assert.equal(parsePageOrigin(written), null, written)
})

test('an origin is compared as a whole, and localhost matches any port if that is allowed', () => {
  const allowed = ['https://shop.example', 'http://localhost:*']
  for (const [origin, isAllowed] of [
    ['https://shop.example', true],
    ['http://localhost', true],
    ['http://localhost:5173', true],
    ['http://shop.example', false],
    ['https://shop.example:8443', false],
    ['https://shop.example.evil.example', false],
    ['https://www.shop.example', false],
    ['https://localhost:5173', false],
    ['http://localhost.evil.example:80', false],
    ['http://localhost:5173.evil.example', false],
    ['null', false],
    ['', false],
  ] as const)
    assert.equal(isAllowedOrigin(origin, allowed), isAllowed, origin)
  assert.ok(!isAllowedOrigin('http://localhost:5173', ['https://shop.example']))
})
