import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchResult, generationResult } from '@vitrine/contract'
import { createSharpCodec } from '@vitrine/engine/node'
import { describeOnOneDatabase } from '../http/test-service.ts'

const codec = createSharpCodec()
const artwork = (origin: string) => ({ artwork_url: `${origin}/red.png` })

describeOnOneDatabase('interface.md, "Result"', use => {
  for (const [format, contentType, signature] of [
    ['jpeg', 'image/jpeg', 'ffd8ff'],
    ['png', 'image/png', '89504e47'],
  ] as const)
    test(`a binary answer is a ${format} with its headers`, async () => {
      const service = use()
      const { key } = await service.customer(10)
      const answer = await service.generate(key, {
        template_id: 'one-frame',
        ...artwork(service.origin.url),
        format,
        width: 40,
      })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), contentType)
      assert.equal(answer.headers.get('content-length'), String(answer.bytes.length))
      assert.equal(answer.headers.get('x-template-id'), 'one-frame')
      assert.match(answer.headers.get('x-duration-ms') ?? '', /^\d+$/)
      assert.equal(answer.headers.get('x-credits-used'), '1')
      assert.equal(answer.headers.get('x-credits-remaining'), '9')
      assert.match(answer.headers.get('server-timing') ?? '', /render;dur=\d/)
      assert.match(answer.headers.get('server-timing') ?? '', /decode;dur=[\d.]+/)
      assert.doesNotMatch(answer.headers.get('server-timing') ?? '', /desc/, 'the answer does not reveal the decoder')
      assert.equal(answer.bytes.subarray(0, signature.length / 2).toString('hex'), signature)
      const picture = await codec.decodeLayer(answer.bytes, 'rgb')
      // The scene is 200 x 250.
      assert.deepEqual([picture.widthPx, picture.heightPx], [40, 50])
    })

  test('a JSON answer is the same picture in base64, with the same headers', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const body = { template_id: 'one-frame', ...artwork(service.origin.url), width: 33 }
    const binary = await service.generate(key, body)
    const json = await service.generate(key, { ...body, response_format: 'json' })
    const result = generationResult.parse(json.json)
    assert.deepEqual(Buffer.from(result.image, 'base64'), binary.bytes)
    assert.deepEqual(
      [result.success, result.format, result.content_type, result.size_bytes, result.template_id],
      [true, 'jpeg', 'image/jpeg', binary.bytes.length, 'one-frame'],
    )
    assert.equal(json.headers.get('content-length'), String(json.bytes.length))
    assert.equal(json.headers.get('x-template-id'), 'one-frame')
    assert.equal(json.headers.get('x-credits-used'), '1')
    assert.equal(json.headers.get('x-credits-remaining'), '8')
    assert.equal(json.headers.get('x-duration-ms'), String(result.duration_ms))
  })

  test('a placement moves the artwork, equally in JSON and in a form, and the answer has its density', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const body = { template_id: 'two-frames', ...artwork(service.origin.url), width: 100, format: 'png' }
    const placement = { scale: 0.3, background: '#0000ff' }
    const plain = await service.generate(key, body)
    const placed = await service.generate(key, { ...body, placement })
    const first = await service.generate(key, { ...body, placements: { 0: placement } })
    assert.deepEqual([plain.status, placed.status, first.status], [200, 200, 200])
    const pictures = await Promise.all([plain, placed, first].map(async ({ bytes }) => codec.decodeLayer(bytes, 'rgb')))
    const count = pictures.map(
      ({ data }) => data.filter((_, i) => i % 3 === 2 && (data[i] ?? 0) > (data[i - 2] ?? 0)).length,
    )
    const [none = 0, both = 0, one = 0] = count
    assert.ok(none < one && one < both, count.join(', '))
    const densities = [plain, placed].map(({ headers }) => Number(headers.get('x-artwork-density')))
    // At 0.3 of its size the same artwork pixels cover fewer pixels of the mockup.
    assert.ok(Math.abs((densities[0] ?? 0) / 0.3 / (densities[1] ?? 0) - 1) < 0.01, densities.join(', '))
    const json = await service.generate(key, { ...body, placement, response_format: 'json' })
    const { artwork: shown, image } = generationResult.parse(json.json)
    assert.deepEqual(Buffer.from(image, 'base64'), placed.bytes)
    assert.deepEqual(
      shown.map(({ frame }) => frame),
      [0, 1],
    )
    assert.equal(Math.min(...shown.map(({ density }) => density)), densities[1])
    assert.equal(json.headers.get('x-artwork-density'), null)
  })

  test('a batch preserves the order of its ids, and its sums are right', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const ids = ['two-frames', 'one-frame', 'two-frames']
    const answer = await service.generate(key, {
      template_ids: ids,
      ...artwork(service.origin.url),
      width: 20,
      format: 'png',
      response_format: 'json',
    })
    const batch = batchResult.parse(answer.json)
    assert.deepEqual(
      batch.results.map(result => result.template_id),
      ids,
    )
    assert.equal(batch.count, 3)
    assert.equal(
      batch.total_size_bytes,
      batch.results.reduce((sum, result) => sum + result.size_bytes, 0),
    )
    for (const result of batch.results) assert.equal(Buffer.from(result.image, 'base64').length, result.size_bytes)
    assert.equal(batch.results[0]?.image, batch.results[2]?.image)
    assert.equal(answer.headers.get('x-credits-used'), '3')
    assert.equal(answer.headers.get('x-template-id'), null)
    assert.equal(answer.headers.get('content-length'), String(answer.bytes.length))
  })

  test('by default the answer is a JPEG, 2000 wide; the height follows the scene', async () => {
    const service = use()
    const { key } = await service.customer()
    const answer = await service.generate(key, { template_id: 'one-frame', ...artwork(service.origin.url) })
    assert.equal(answer.headers.get('content-type'), 'image/jpeg')
    const picture = await codec.decodeLayer(answer.bytes, 'rgb')
    assert.deepEqual([picture.widthPx, picture.heightPx], [2000, 2500])
  })

  test('the default quality is 85', async () => {
    const service = use()
    const { key } = await service.customer()
    const body = { template_id: 'one-frame', ...artwork(service.origin.url), width: 40 }
    const { bytes } = await service.generate(key, body)
    assert.deepEqual((await service.generate(key, { ...body, quality: 85 })).bytes, bytes)
    assert.notDeepEqual((await service.generate(key, { ...body, quality: 84 })).bytes, bytes)
  })

  test('the smallest width is 1, with at least one row', async () => {
    const service = use()
    const { key } = await service.customer()
    const body = { template_id: 'one-frame', ...artwork(service.origin.url), width: 1 }
    const picture = await codec.decodeLayer((await service.generate(key, body)).bytes, 'rgb')
    assert.deepEqual([picture.widthPx, picture.heightPx], [1, 1])
  })

  test('duration_ms measures only the render, not the seconds that the artwork took to arrive', async () => {
    const service = use()
    const { key } = await service.customer()
    const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/late/red.png`, width: 8 }
    const startedMs = performance.now()
    const answer = await service.generate(key, body)
    const tookMs = performance.now() - startedMs
    assert.equal(answer.status, 200)
    assert.ok(Number(answer.headers.get('x-duration-ms')) <= tookMs - 900)
  })

  test('the same request gives the same bytes', async () => {
    const service = use()
    const { key } = await service.customer()
    const body = { template_id: 'two-frames', ...artwork(service.origin.url), width: 60 }
    assert.deepEqual((await service.generate(key, body)).bytes, (await service.generate(key, body)).bytes)
  })
})
