import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, request as sendRequest } from 'node:http'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { makeScratchFolder } from '../../service/test/cli/scratch-folder.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import { plainPicture } from '../../service/test/mockups/test-bundle.ts'
import { isVitrineError, Vitrine } from '../src/index.ts'
import { fileArtwork, saveTo } from '../src/node.ts'

const scratch = makeScratchFolder('client')
const picture = path.join(scratch, 'picture.png')
let service: TestService
let bytes: Uint8Array<ArrayBuffer>
before(async () => {
  service = await TestService.start('sqlite')
  bytes = new Uint8Array(await plainPicture(40, 40, [0, 0, 255]))
  await writeFile(picture, bytes)
})
after(() => service[Symbol.asyncDispose]())

async function openAccount(credits = 1000) {
  const { key } = await service.customer(credits)
  return { key, vitrine: new Vitrine({ apiKey: key, baseUrl: service.running.url }) }
}

test('artwork from a file, a Blob, bytes, a stream and an address give the same mockup', async () => {
  const { vitrine, key } = await openAccount()
  const sources = [
    await fileArtwork(picture),
    new Blob([bytes]),
    bytes,
    bytes.buffer,
    new Blob([bytes]).stream(),
    `${service.origin.url}/blue.png`,
    new URL(`${service.origin.url}/blue.png`),
  ]
  const pictures: Uint8Array[] = []
  for (const artwork of sources) {
    const mockup = await vitrine.generate({ template: 'one-frame', artwork, width: 32, format: 'png' })
    assert.deepEqual(
      [mockup.template, mockup.contentType, mockup.creditsUsed, mockup.replayed],
      ['one-frame', 'image/png', 1, false],
    )
    pictures.push(await mockup.bytes())
    assert.equal(pictures.at(-1)?.length, mockup.sizeBytes)
  }
  for (const other of pictures) assert.deepEqual(other, pictures[0])
  assert.equal(await service.balance(key), 1000 - sources.length)
})

test('artwork by frame: as a list and as a map, of bytes and of addresses, never of both', async () => {
  const { vitrine } = await openAccount()
  const options = { template: 'two-frames', width: 32, format: 'png' } as const
  const [red, blue] = [`${service.origin.url}/red.png`, `${service.origin.url}/blue.png`]
  const expected = await (await vitrine.generate({ ...options, artwork: [red, blue] })).bytes()
  const redBytes = await plainPicture(40, 40, [255, 0, 0])
  for (const artwork of [{ 0: red, 1: blue }, [new Blob([new Uint8Array(redBytes)]), bytes]])
    assert.deepEqual(await (await vitrine.generate({ ...options, artwork })).bytes(), expected)
  await assert.rejects(vitrine.generate({ ...options, artwork: [red, bytes] }), TypeError)
})

test('a placement reaches the service, in a form and in JSON', async () => {
  const { vitrine } = await openAccount()
  const options = { template: 'one-frame', width: 32, format: 'png' } as const
  const placement = { fit: 'contain', scale: 0.5, background: '#00ff00' } as const
  const [plain, form, json, byFrame] = await Promise.all(
    [
      { artwork: bytes },
      { artwork: bytes, placement },
      { artwork: `${service.origin.url}/blue.png`, placement },
      { artwork: bytes, placements: { 0: placement } },
    ].map(async placed => (await vitrine.generate({ ...options, ...placed })).bytes()),
  )
  assert.notDeepEqual(form, plain)
  assert.deepEqual(json, form)
  assert.deepEqual(byFrame, form)
})

test('a mockup is a stream, bytes, a Blob or a file, once', async () => {
  const { vitrine } = await openAccount()
  const generate = () => vitrine.generate({ template: 'one-frame', artwork: bytes, width: 32 })
  const whole = await (await generate()).bytes()
  assert.deepEqual(new Uint8Array(await new Response((await generate()).stream).arrayBuffer()), whole)
  const blob = await (await generate()).blob()
  assert.deepEqual([blob.type, blob.size], ['image/jpeg', whole.length])
  const file = path.join(scratch, 'new/folder/mockup.jpg')
  await saveTo(await generate(), file)
  assert.deepEqual(new Uint8Array(await readFile(file)), whole)
  assert.deepEqual(await readdir(path.dirname(file)), ['mockup.jpg'])
  const taken = await generate()
  await taken.bytes()
  await assert.rejects(taken.bytes(), /taken before/)
})

test('a batch has its mockups in the order of its templates', async () => {
  const { vitrine, key } = await openAccount()
  const templates = ['two-frames', 'one-frame', 'two-frames']
  const batch = await vitrine.generateBatch({ templates, artwork: bytes, width: 32 })
  assert.deepEqual(
    batch.mockups.map(({ template }) => template),
    templates,
  )
  const single = await (await vitrine.generate({ template: 'one-frame', artwork: bytes, width: 32 })).bytes()
  assert.deepEqual(batch.mockups[1]?.bytes, single)
  assert.deepEqual([batch.creditsUsed, batch.creditsRemaining], [3, 997])
  assert.equal(await service.balance(key), 996)
})

test('templates, balance and usage are what the service says', async () => {
  const { vitrine } = await openAccount(7)
  const ids: string[] = []
  for await (const template of vitrine.templates()) ids.push(template.id)
  assert.deepEqual(ids, ['one-frame', 'two-frames'])
  assert.equal((await vitrine.balance()).balance_credits, 7)
  const usage = await vitrine.usage({ period: '2d', scope: 'account' })
  assert.deepEqual([usage.period, usage.requests_by_day.length], ['2d', 2])
})

test('an error has its code, the details of the code and what can be done', async () => {
  const { vitrine } = await openAccount(0)
  const error = await vitrine.generate({ template: 'one-frame', artwork: bytes }).catch((error: unknown) => error)
  assert.ok(isVitrineError(error, 'INSUFFICIENT_CREDITS'))
  const required: number = error.details.required_cents
  assert.deepEqual([required, error.status], [1, 402])
  assert.match(error.hint ?? '', /Add credits/)
  assert.match(error.requestId ?? '', /^req_/)
})

test('an answer that is lost on its way is had again without a second charge', async () => {
  const { key } = await openAccount()
  let lost = 0
  // Passes requests on, and breaks the first connection when the service has answered.
  const proxy = createServer((request, response) => {
    const onward = sendRequest(
      `${service.running.url}${request.url}`,
      { method: request.method, headers: request.headers },
      answer => {
        if (lost++ === 0) answer.resume().once('end', () => request.socket.destroy())
        else answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers))
      },
    )
    request.pipe(onward)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  assert.ok(address !== null && typeof address === 'object')
  try {
    const vitrine = new Vitrine({ apiKey: key, baseUrl: `http://127.0.0.1:${address.port}` })
    const mockup = await vitrine.generate({ template: 'one-frame', artwork: bytes, width: 32 })
    assert.deepEqual([mockup.replayed, mockup.creditsUsed, lost], [true, 0, 2])
    assert.ok((await mockup.bytes()).length > 0)
    assert.equal(await service.balance(key), 999)
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
})

test('a mockup has an address that needs no key, the same in an answer that is delivered again', async () => {
  const { vitrine } = await openAccount()
  const options = { artwork: bytes, width: 32, idempotencyKey: 'order-7' }
  const mockup = await vitrine.generate({ ...options, template: 'one-frame' })
  const expected = await mockup.bytes()
  assert.deepEqual(new Uint8Array(await (await fetch(mockup.url ?? '')).arrayBuffer()), expected)
  assert.ok(mockup.urlExpiresAt !== null && mockup.urlExpiresAt.getTime() > Date.now() + 80_000_000)
  const again = await vitrine.generate({ ...options, template: 'one-frame' })
  assert.deepEqual([again.replayed, again.url], [true, mockup.url])
  const { mockups } = await vitrine.generateBatch({ artwork: bytes, width: 32, templates: ['one-frame', 'two-frames'] })
  for (const { url, bytes } of mockups)
    assert.deepEqual(new Uint8Array(await (await fetch(url ?? '')).arrayBuffer()), bytes)
  const without = await vitrine.generate({ ...options, template: 'one-frame', idempotencyKey: false })
  assert.deepEqual([without.url, without.urlExpiresAt], [null, null])
})

test('the address of a service without a scheme is refused, with the address that was meant', () => {
  for (const [baseUrl, meant] of [
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['mockups:8080', 'http://mockups:8080'],
    ['mockups.example.com', 'https://mockups.example.com'],
    ['//mockups.example.com', 'https://mockups.example.com'],
  ] as const)
    assert.throws(
      () => new Vitrine({ apiKey: 'k', baseUrl }),
      error => error instanceof TypeError && error.message.endsWith(`: write ${meant}`),
    )
  assert.throws(() => new Vitrine({ apiKey: 'k', baseUrl: 'ftp://example.com' }), /received "ftp:\/\/example\.com"$/)
  for (const baseUrl of ['HTTPS://example.com', '/vitrine', new URL('http://localhost:1')])
    assert.doesNotThrow(() => new Vitrine({ apiKey: 'k', baseUrl }))
})
