import assert from 'node:assert/strict'
import { readdir, readFile, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { batchResult, usageStatistics } from '@vitrine/contract'
import { createSharpCodec } from '@vitrine/engine/node'
import sharp from 'sharp'
import { z } from 'zod'
import { plainPicture } from '../mockups/test-bundle.ts'
import { TestService } from './test-service.ts'

/**
 * As wide as the interface allows, or for ordinary runs so small that it is finished within 28 s on a busy
 * machine.
 */
const widthPx = process.env['VITRINE_TEST_SIZE'] === 'full' ? 4000 : 400

let service: TestService
before(async () => {
  service = await TestService.start('sqlite')
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

/** Lists what is below a data folder, again at each call. */
async function listData(folder: 'tmp' | 'objects'): Promise<string[]> {
  const entries = await readdir(path.join(service.dataDir, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile() || folder === 'tmp')
    .map(entry => path.join(entry.parentPath, entry.name))
}

/** A picture that does not compress. */
function makeNoise(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: 500, height: 500, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer()
}

test(`a batch of twelve PNGs of ${widthPx} px is sent from private files with a known length, and leaves nothing behind`, async () => {
  const { key } = await service.customer(12)
  const form = new FormData()
  for (let i = 0; i < 12; i++) form.append('template_ids', 'one-frame')
  for (const [name, value] of Object.entries({ format: 'png', width: String(widthPx), response_format: 'json' })) {
    form.set(name, value)
  }
  form.set('artwork', new Blob([new Uint8Array(await makeNoise())]), 'noise.jpg')
  const answer = await service.generate(key, form)
  assert.equal(answer.status, 200, answer.bytes.subarray(0, 500).toString())
  assert.equal(answer.headers.get('content-length'), String(answer.bytes.length))
  assert.equal(answer.headers.get('transfer-encoding'), null)
  const { results, total_size_bytes } = batchResult.parse(answer.json)
  assert.ok(total_size_bytes > 12 * widthPx * widthPx, `${total_size_bytes} bytes are no noise`)
  assert.equal(results.length, 12)
  while ((await listData('tmp')).length > 0) await delay(10)
  const pictures = new Set(results.map(({ image }) => image))
  assert.equal(pictures.size, 1)
  const picture = await createSharpCodec().decodeLayer(Buffer.from(results[0]?.image ?? '', 'base64'), 'rgb')
  assert.deepEqual([picture.widthPx, picture.heightPx], [widthPx, widthPx * 1.25])
})

test('nothing of a request is stored except the answer, and that only with an Idempotency-Key', async () => {
  const { key } = await service.customer(2)
  const before = await listData('objects')
  const form = new FormData()
  form.set('template_id', 'one-frame')
  form.set('width', '40')
  form.set('artwork', new Blob([new Uint8Array(await plainPicture(30, 30, [1, 2, 3]))]), 'artwork.png')
  const answer = await service.generate(key, form)
  assert.equal(answer.status, 200)
  while ((await listData('tmp')).length > 0) await delay(10)
  assert.deepEqual(await listData('objects'), before)

  assert.equal((await service.generate(key, form, { 'Idempotency-Key': 'kept' })).status, 200)
  while ((await listData('tmp')).length > 0) await delay(10)
  const added = (await listData('objects')).filter(file => !before.includes(file))
  assert.equal(added.length, 1)
  assert.deepEqual(await readFile(added[0] ?? ''), answer.bytes)
})

test('a request is counted before its client can have the whole answer, even if the saved answer’s stream ends late', async () => {
  const { key } = await service.customer(10)
  const { storage } = service.running.services
  const countRequests = async (): Promise<number> => {
    const { json } = await service.send({ path: '/billing/usage?period=1d', key })
    return usageStatistics.parse(json).successful_requests
  }
  const ends: (() => void)[] = []
  const open = storage.open.bind(storage)
  // Simulates a store that is slow to report the end.
  storage.open = async objectKey => {
    const object = await open(objectKey)
    if (object === null || !objectKey.startsWith('answers/')) return object
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.push(resolve)
    async function* lateContent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      yield* content
      await promise
    }
    return { ...object, content: lateContent(object.content) }
  }
  try {
    for (const [index, body] of [
      { template_id: 'one-frame' },
      { template_id: 'one-frame', response_format: 'json' },
      { template_ids: ['one-frame', 'two-frames'], response_format: 'json' },
    ].entries()) {
      const asked = { ...body, width: 24, artwork_url: `${service.origin.url}/red.png` }
      for (const isReplay of [false, true]) {
        const counted = await countRequests()
        const answer = await service.generate(key, asked, { 'Idempotency-Key': `late-${index}` })
        assert.equal(answer.headers.get('idempotency-replayed'), isReplay ? 'true' : null)
        // The usage request itself is also counted.
        assert.equal(await countRequests(), counted + 2)
      }
    }
    assert.equal(ends.length, 3)
  } finally {
    for (const end of ends) end()
    storage.open = open
  }
})

/** Asserts that an error has no headers that are only for mockups. */
function assertNoSuccessHeaders(headers: Headers): void {
  const names = [...headers.keys()].filter(name =>
    /^(x-credits-|x-template-|x-duration-|idempotency-|server-)/.test(name),
  )
  assert.deepEqual(names, [])
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store')
}

test('a finished mockup that cannot be read is an error without the headers of a mockup, and costs nothing', async () => {
  const { key, accountId } = await service.customer(1)
  const { generator, wallet } = service.running.services
  const generate = generator.generate.bind(generator)
  generator.generate = async (request, ...others) => {
    const generation = await generate(request, ...others)
    await rm(request.folder.file('mockup-0'))
    return generation
  }
  try {
    const asked = { template_id: 'one-frame', width: 24, artwork_url: `${service.origin.url}/red.png` }
    const answer = await service.generate(key, asked)
    assert.equal(answer.status, 500)
    assert.partialDeepStrictEqual(answer.json, { code: 'INTERNAL_ERROR' })
    assertNoSuccessHeaders(answer.headers)
    assert.equal((await wallet.balance(accountId)).spendableCredits, 1)
  } finally {
    generator.generate = generate
  }
})

test('an answer whose mockup fails halfway is cut off and costs nothing, unless it is saved', async () => {
  const { generator, wallet } = service.running.services
  const generate = generator.generate.bind(generator)
  generator.generate = async (request, ...others) => {
    const generation = await generate(request, ...others)
    await truncate(request.folder.file('mockup-0'), 10)
    return generation
  }
  try {
    for (const { headers, width, isCut, leftCredits } of [
      { headers: {}, width: 24, isCut: true, leftCredits: 1 },
      // What was stored is in memory, and is sent.
      { headers: { 'Idempotency-Key': 'small' }, width: 24, isCut: false, leftCredits: 0 },
      // Over 1 MiB, so it is read again.
      { headers: { 'Idempotency-Key': 'large' }, width: 1000, isCut: true, leftCredits: 0 },
    ] as const) {
      const { key, accountId } = await service.customer(1)
      const form = new FormData()
      const fields = { template_id: 'one-frame', width: `${width}`, format: 'png', response_format: 'json' }
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('artwork', new Blob([new Uint8Array(await makeNoise())]), 'noise.jpg')
      const answer = await fetch(`${service.running.url}/api/v1/mockups/generate`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, ...headers },
        body: form,
      })
      assert.equal(answer.status, 200, 'its first bytes are no part of the mockup')
      if (isCut) await assert.rejects(answer.bytes())
      else assert.equal(z.looseObject({ success: z.literal(true) }).safeParse(await answer.json()).success, true)
      while ((await listData('tmp')).length > 0) await delay(10)
      assert.equal((await wallet.balance(accountId)).spendableCredits, leftCredits)
    }
  } finally {
    generator.generate = generate
  }
})

test('a saved answer that cannot be read is an error as JSON; one that fails halfway is cut off and logged', async () => {
  const { key } = await service.customer(10)
  const { storage } = service.running.services
  const asked = { template_id: 'one-frame', width: 400, format: 'png', artwork_url: `${service.origin.url}/red.png` }
  const whole = await service.generate(key, asked, { 'Idempotency-Key': 'unreadable' })
  assert.equal(whole.status, 200)
  const open = storage.open.bind(storage)
  const failAfter = async function* (content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
    if (bytes > 0)
      for await (const piece of content) {
        yield piece.subarray(0, bytes)
        break
      }
    throw new Error('the disk failed')
  }
  try {
    for (const bytes of [0, 100]) {
      storage.open = async objectKey => {
        const object = await open(objectKey)
        return object && { ...object, content: failAfter(object.content, bytes) }
      }
      const replay = await fetch(`${service.running.url}/api/v1/mockups/generate`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'unreadable',
        },
        body: JSON.stringify(asked),
      })
      assert.equal(replay.status, bytes === 0 ? 500 : 200)
      if (bytes === 0) {
        assert.partialDeepStrictEqual(await replay.json(), { code: 'INTERNAL_ERROR' })
        assertNoSuccessHeaders(replay.headers)
      } else await assert.rejects(replay.bytes())
    }
    const failed = () => service.log.filter(line => line.includes('request failed') && line.includes('the disk failed'))
    while (failed().length < 2) await delay(5)
    const answered = () => service.log.filter(line => /"status":(200|500),"outcome":"INTERNAL_ERROR"/.test(line))
    while (answered().length < 2) await delay(5)
  } finally {
    storage.open = open
  }
  const again = await service.generate(key, asked, { 'Idempotency-Key': 'unreadable' })
  assert.deepEqual(again.bytes, whole.bytes)
})
