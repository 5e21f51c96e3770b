import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { hostileLiterals, publicAddresses } from '../../test/artwork-download/hostile-urls.ts'
import { parseArtworkUrl } from './artwork-url.ts'
import { classifyHost, isPublicAddress } from './classify-address.ts'

describe('An untrusted address', () => {
  it('is tested with at least 80 hostile spellings', () => {
    assert.ok(hostileLiterals.filter(hostile => hostile.refusal === 'forbidden').length >= 80)
  })

  for (const { url, refusal, why } of hostileLiterals) {
    it(`is refused as ${refusal} when it is ${JSON.stringify(url)} (${why})`, () => {
      const parsed = parseArtworkUrl(url)
      if (!parsed.ok) {
        assert.equal('invalid', refusal)
        return
      }
      const host = classifyHost(parsed.url.hostname)
      assert.equal('forbidden', refusal, `it was read as ${parsed.url.href}`)
      assert.ok(host.kind === 'loopback-name' || (host.kind === 'address' && !host.isPublic), JSON.stringify(host))
    })
  }

  for (const address of publicAddresses) {
    it(`is public when it is ${address}`, () => assert.equal(isPublicAddress(address), true))
  }

  it('is not public when it belongs to an interface of this machine, however it is written', () => {
    assert.equal(isPublicAddress('2606:4700:0:0:0:0:0:1', ['10.0.0.1', '2606:4700::1']), false)
    assert.equal(isPublicAddress('8.8.8.8', ['8.8.8.8']), false)
    assert.equal(isPublicAddress('8.8.8.9', ['8.8.8.8']), true)
  })

  it('is not public when it is not a valid address', () => {
    for (const text of ['', 'example.com', '::g', '2606:4700::1%eth0', '8.8.8.8/8']) {
      assert.equal(isPublicAddress(text), false, text)
    }
  })

  it('is never public in IPv6 outside 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), address => {
        const first = Number.parseInt(address.split(':')[0] || '0', 16)
        fc.pre(first < 0x2000 || first > 0x3fff)
        assert.equal(isPublicAddress(address), false)
      }),
    )
  })

  it('is not public when a well-known prefix embeds any IPv4 address in it', () => {
    fc.assert(
      fc.property(fc.ipV4(), address => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const embedded of [
          `::${hex}`,
          `::ffff:${hex}`,
          `::ffff:0:${hex}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::`,
          `2001::${hex}`,
        ]) {
          assert.equal(isPublicAddress(embedded), false, embedded)
        }
        assert.equal(isPublicAddress(`2606:4700::5efe:${hex}`), false)
        assert.equal(isPublicAddress(`2606:4700::200:5efe:${hex}`), false)
      }),
    )
  })
})

describe('An artwork URL', () => {
  it('is accepted with either scheme in any case, and with any port', () => {
    for (const url of ['http://example.com/a.png', 'HTTPS://EXAMPLE.com', 'hTTp://example.com:8443/x?y#z']) {
      assert.equal(parseArtworkUrl(url).ok, true, url)
    }
  })

  it('may have 8,192 characters and no more', () => {
    const start = 'http://example.com/'
    assert.equal(parseArtworkUrl(start + 'a'.repeat(8192 - start.length)).ok, true)
    const longer = parseArtworkUrl(start + 'a'.repeat(8193 - start.length))
    assert.deepEqual(longer, { ok: false, reason: 'too_long' })
  })
})
