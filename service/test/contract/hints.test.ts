import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { errorOf, TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'

let service: TestService
let key: string
let picture: Buffer
before(async () => {
  service = await TestService.start('sqlite')
  key = (await service.customer()).key
  picture = Buffer.from(await plainPicture(20, 20, [255, 0, 0]))
})
after(() => service[Symbol.asyncDispose]())

const BOUNDARY = 'boundary'

/** Sends a form of literal parts. */
function sendForm(...parts: readonly (readonly [header: string, content: string | Buffer])[]) {
  const body = Buffer.concat([
    ...parts.flatMap(([header, content]) => [
      Buffer.from(`--${BOUNDARY}\r\n${header}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
  return service.send({ method: 'POST', path: '/mockups/generate', key, headers, body })
}

const field = (name: string, value: string) => [`Content-Disposition: form-data; name="${name}"`, value] as const
const template = field('template_id', 'one-frame')
const FILE = 'Content-Disposition: form-data; name="artwork"; filename="a.png"'

const generate = (fields: Record<string, unknown>) =>
  service.send({ method: 'POST', path: '/mockups/generate', key, body: { template_id: 'one-frame', ...fields } })

test('a mistyped path is answered with the right one', async () => {
  const { url } = service.running
  for (const [path, meant] of [
    ['/api/v1/mockups/generate/', '/api/v1/mockups/generate'],
    ['//api/v1/mockups/generate', '/api/v1/mockups/generate'],
    ['/api/v1//mockups/generate', '/api/v1/mockups/generate'],
    ['/mockups/generate', '/api/v1/mockups/generate'],
    ['/api/v1/api/v1/mockups/generate', '/api/v1/mockups/generate'],
    ['/api/v1/Mockups/Generate%0D%0A', '/api/v1/mockups/generate'],
    ['/api/v1/templates/', '/api/v1/templates'],
  ] as const) {
    const answer = await fetch(url + path, { method: 'POST', headers: { Authorization: `Bearer ${key}` } })
    const { code, hint } = Object(await answer.json())
    assert.deepEqual(
      [path, answer.status, code, hint],
      [path, 404, 'NOT_FOUND', `The path is ${meant}, written like this.`],
    )
  }
  const elsewhere = errorOf(await service.send({ path: '/nowhere', key }))
  assert.equal(elsewhere['hint'], 'The documentation is at /docs.')
})

test('a file that is not a picture is identified, with advice', async () => {
  const cases: readonly (readonly [string | Buffer, RegExp, RegExp])[] = [
    ['<!doctype html><title>Sign in</title>', /received an HTML page\.$/, /a web page, a sign-in or an error/],
    ['\0\0\0\x20ftypheic\0\0\0\0mif1', /received a HEIC photo\.$/, /as JPEG/],
    ['%PDF-1.7', /received a PDF\.$/, /as PNG/],
    [picture.toString('base64'), /received a picture as base64 text\.$/, /the bytes of the picture/],
    ['no picture', /received another type of file\.$/, /^Send a whole JPEG, PNG, WebP or GIF\.$/],
  ]
  for (const [content, message, hint] of cases) {
    const answer = await sendForm(template, [`${FILE}\r\nContent-Transfer-Encoding: base64`, content])
    const error = errorOf(answer)
    assert.deepEqual(
      [answer.status, error.code, error['details']],
      [400, 'INVALID_ARTWORK', { reason: 'unsupported_type' }],
    )
    assert.match(error.error, message)
    assert.match(String(error['hint']), hint)
  }
})

test('a folded header of a part is parsed', async () => {
  const folded = 'Content-Disposition: form-data;\r\n name="artwork";\r\n\tfilename="a.png"'
  assert.equal((await sendForm(template, field('width', '16'), [folded, picture])).status, 200)
})

test('a whole number with decimal zeros is accepted, in a form, a query and JSON', async () => {
  for (const width of ['16', '16.0', ' 16.000 '])
    assert.equal((await sendForm(template, field('width', width), [FILE, picture])).status, 200, width)
  for (const width of ['16.5', '16.', '1.6e1'])
    assert.equal(errorOf(await sendForm(template, field('width', width), [FILE, picture])).code, 'INVALID_PARAMETER')
  const json = `{"template_id": "one-frame", "artwork_url": "${service.origin.url}/red.png", "width": 16.0}`
  const headers = { 'Content-Type': 'application/json' }
  const answer = await service.send({
    method: 'POST',
    path: '/mockups/generate',
    key,
    headers,
    body: Buffer.from(json),
  })
  assert.equal(answer.status, 200)
  assert.equal((await service.send({ path: '/templates?limit=1.0&page=1.00', key })).status, 200)
  assert.equal((await service.send({ path: '/templates?limit=1.5', key })).status, 400)
})

test('common mistakes in place of a URL are answered with advice', async () => {
  for (const [address, advice] of [
    ['file:///pictures/logo.png', /read files of your machine: send the picture itself/],
    ['/pictures/logo.png', /read files of your machine/],
    ['C:\\logo.png', /read files of your machine/],
    ['./logo.png', /read files of your machine/],
    ['data:image/png;base64,iVBORw0KGgo=', /none of its bytes: send the picture itself/],
    [picture.toString('base64').padEnd(300, 'A'), /none of its bytes/],
    ['example.com/logo.png', /Write https:\/\/ in front of it/],
    ['localhost:8080/logo.png', /Write https:\/\/ in front of it/],
    ['//example.com/logo.png', /Write https: in front of it/],
    [' https://example.com/logo.png', /Leave out the blanks/],
    ['s3://bucket/logo.png', /address of the object/],
  ] as const) {
    const error = errorOf(await generate({ artwork_url: address }))
    assert.deepEqual([address, error.code], [address, 'INVALID_ARTWORK_URL'])
    assert.match(String(error['hint']), advice, address)
    assert.ok(!error.error.includes(address))
  }
  assert.equal(errorOf(await generate({ artwork_url: 'https://me:secret@example.com/' }))['hint'], undefined)
})

test('blanks around a template id are reported', async () => {
  const artwork_url = `${service.origin.url}/red.png`
  const error = errorOf(await generate({ template_id: 'one-frame\r\n', artwork_url }))
  assert.equal(error.code, 'TEMPLATE_NOT_FOUND')
  assert.match(String(error['hint']), /without the blanks and line breaks/)
  const unknown = errorOf(await generate({ template_id: 'nobody', artwork_url }))
  assert.match(String(unknown['hint']), /GET \/templates lists/)
})
