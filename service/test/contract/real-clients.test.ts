/** What real clients send and do, tested with the clients themselves: curl, Python and a browser. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { z } from 'zod'
import { makeScratchFolder } from '../cli/scratch-folder.ts'
import { errorOf, TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'
import { findOnPath } from '../servers/child-server.ts'
import { launchChromium } from '../servers/chromium.ts'

const run = promisify(execFile)
const folder = makeScratchFolder('real-clients')
const picture = path.join(folder, 'picture.png')
const without = (name: string) => (findOnPath(name) === undefined ? `NO ${name}: it is not on the PATH` : false)

let service: TestService
before(async () => {
  service = await TestService.start('sqlite', { environment: { RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '20' } })
  await writeFile(picture, await plainPicture(40, 40, [255, 0, 0]))
})
after(() => service[Symbol.asyncDispose]())

const generateUrl = () => `${service.running.url}/api/v1/mockups/generate`
const form = (...fields: readonly string[]) => fields.flatMap(field => ['-F', field])
const one = form('template_id=one-frame', 'width=16')

/** Sends a request with curl. */
async function curl(key: string, ...args: readonly string[]) {
  const marks = '\n%{http_code} %{content_type}'
  const options = ['-s', '-H', `Authorization: Bearer ${key}`, '-w', marks, ...args, generateUrl()]
  const { stdout } = await run('curl', options, { cwd: folder, encoding: 'buffer', maxBuffer: 1e8 })
  const [, status = '', type = ''] = /\n(\d+) ([^\n]*)$/.exec(stdout.toString('latin1')) ?? []
  const bytes = stdout.subarray(0, stdout.length - `\n${status} ${type}`.length)
  const json: unknown = type.startsWith('application/json') ? JSON.parse(bytes.toString()) : undefined
  return { status: Number(status), bytes, json, headers: new Headers() }
}

describe('curl', { skip: without('curl') }, () => {
  test('names the file after the template and the format', async () => {
    const { key } = await service.customer()
    for (const [format, name] of [
      ['jpeg', 'one-frame.jpg'],
      ['png', 'one-frame.png'],
    ] as const) {
      const headers = ['-H', `Authorization: Bearer ${key}`, '-H', `Idempotency-Key: ${format}`]
      const args = ['-s', '-OJ', ...headers, ...one, ...form(`format=${format}`, `artwork=@${picture}`), generateUrl()]
      await run('curl', args, { cwd: folder })
      const first = await readFile(path.join(folder, name))
      await rm(path.join(folder, name))
      await run('curl', args, { cwd: folder })
      assert.deepEqual(await readFile(path.join(folder, name)), first, 'the kept answer')
    }
  })

  test('a picture without a file name is treated as a file if its part declares an image type', async () => {
    const { key } = await service.customer()
    const named = await curl(key, ...one, ...form(`artwork=@${picture}`))
    for (const type of ['image/png', 'image/jpeg', 'application/octet-stream']) {
      const answer = await curl(key, ...one, ...form(`artwork=<${picture};type=${type}`))
      assert.equal(answer.status, 200, type)
      assert.deepEqual(answer.bytes, named.bytes)
    }
  })

  test('a picture sent as text is refused without repeating it, and the hint says how to send it', async () => {
    const { key } = await service.customer()
    const error = errorOf(await curl(key, ...one, ...form(`artwork=<${picture};type=text/plain`)))
    assert.equal(error.code, 'INVALID_PARAMETER')
    assert.match(error.error, /binary data/)
    assert.match(String(error.hint), /-F artwork=@/)
    assert.doesNotMatch(JSON.stringify(error), /PNG|\\ufffd|\uFFFD/)
  })

  test('empty fields of a form are ignored', async () => {
    const { key } = await service.customer()
    const plain = await curl(key, '-F', 'template_id=one-frame', ...form(`artwork=@${picture}`))
    const blanks = [
      'template_ids=',
      'format=',
      'quality=',
      'width= ',
      'response_format=',
      'artwork_urls=',
      'placement=',
    ]
    const answer = await curl(key, '-F', 'template_id=one-frame', ...form(...blanks, `artwork=@${picture}`))
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    assert.deepEqual(answer.bytes, plain.bytes)
  })

  test('texts sent as JSON, as by Spring, are decoded', async () => {
    const { key } = await service.customer()
    const field = 'template_id="\\"one-frame\\"";type=application/json'
    const answer = await curl(key, ...form(field, 'width=16;type=application/json', `artwork=@${picture}`))
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
  })

  test('the file itself as the body is 415, with a hint about the form', async () => {
    const { key } = await service.customer()
    const answer = await curl(key, '--data-binary', `@${picture}`, '-H', 'Content-Type: image/png')
    assert.deepEqual([answer.status, errorOf(answer).code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
    assert.match(String(errorOf(answer).hint), /"artwork" of a multipart form/)
  })

  test('a file under another name is missing artwork, and the error lists what was received', async () => {
    const { key } = await service.customer()
    const error = errorOf(await curl(key, ...one, ...form(`file=@${picture}`)))
    assert.equal(error.code, 'MISSING_ARTWORK')
    assert.deepEqual(error.details, { received_fields: ['template_id', 'width', 'file'] })
    assert.match(error.error, /"template_id", "width", "file"/)
    assert.match(String(error.hint), /Name the part with the file "artwork"/)
  })

  test('a list of addresses is refused with the right form', async () => {
    const { key } = await service.customer()
    const body = JSON.stringify({ template_id: 'two-frames', artwork_urls: ['http://a.example/', 'http://b.example/'] })
    const error = errorOf(await curl(key, '--json', body))
    assert.equal(error.code, 'INVALID_PARAMETER')
    assert.match(String(error.hint), /\{"0": .*\(object\)/)
  })

  test('a key sent as user name is answered with advice to use Bearer, not as revoked', async () => {
    const { key } = await service.customer()
    const { stdout } = await run('curl', ['-s', '-u', `${key}:`, ...one, generateUrl()])
    const { code, error, hint } = z
      .object({ code: z.string(), error: z.string(), hint: z.string() })
      .parse(JSON.parse(stdout))
    assert.equal(code, 'INVALID_API_KEY')
    assert.match(error, /received Basic authentication/)
    assert.match(hint, /-H, not -u/)
    assert.ok(!stdout.includes(key) && !stdout.includes(Buffer.from(`${key}:`).toString('base64')))
  })
})

test('Python sends a picture without a file name, from its standard library', {
  skip: without('python3'),
}, async () => {
  const { key } = await service.customer()
  const program = `
import sys, urllib.request
url, key, file = sys.argv[1:]
part = lambda head, body: b'--b\\r\\nContent-Disposition: form-data; ' + head + b'\\r\\n\\r\\n' + body + b'\\r\\n'
body = (part(b'name="template_id"', b'one-frame') + part(b'name="width"', b'16') + part(b'name="quality"', b'')
        + part(b'name="artwork"\\r\\nContent-Type: image/png', open(file, 'rb').read()) + b'--b--\\r\\n')
headers = {'Authorization': 'Bearer ' + key, 'Content-Type': 'multipart/form-data; boundary=b'}
answer = urllib.request.urlopen(urllib.request.Request(url, body, headers))
print(answer.status, answer.headers.get_filename())`
  const { stdout } = await run('python3', ['-c', program, generateUrl(), key, picture])
  assert.equal(stdout, '200 one-frame.jpg\n')
})

test('a page of another origin can read what is public, and nothing with a key', async () => {
  const { key } = await service.customer()
  const { json } = await service.send({ path: '/templates', key })
  const { templates } = z.object({ templates: z.array(z.object({ thumbnail_url: z.string() })) }).parse(json)
  const thumbnail = new URL(templates[0]?.thumbnail_url ?? '')
  await using browser = await launchChromium()
  const page = await browser.newPage()
  await page.goto(`${service.origin.url}/text`)
  const seen = await page.evaluate(
    `(async ({ url, key, thumbnail }) => {
      const outcome = request => request.then(answer => answer.status, () => 'blocked')
      const loads = src => new Promise(resolve => {
        const image = Object.assign(new Image(), { crossOrigin: 'anonymous', src })
        image.onload = () => resolve(true)
        image.onerror = () => resolve(false)
      })
      const headers = { Authorization: 'Bearer ' + key }
      return {
        document: await outcome(fetch(url + '/openapi.json')),
        thumbnail: await loads(thumbnail),
        list: await outcome(fetch(url + '/templates', { headers })),
        mockup: await outcome(fetch(url + '/mockups/generate', { method: 'POST', headers, body: new FormData() })),
      }
    })(${JSON.stringify({ url: `${service.running.url}/api/v1`, key, thumbnail: `${service.running.url}${thumbnail.pathname}` })})`,
  )
  assert.deepEqual(seen, { document: 200, thumbnail: true, list: 'blocked', mockup: 'blocked' })
})

test('a browser’s preflight is answered without permission, and is not counted', async () => {
  const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' }
  for (let i = 0; i < 25; i++) {
    const answer = await fetch(generateUrl(), { method: 'OPTIONS', headers })
    assert.equal(answer.status, 204)
    assert.deepEqual(
      [...answer.headers.keys()].filter(name => /^access-control|^x-ratelimit/.test(name)),
      [],
    )
  }
  assert.equal((await fetch(generateUrl(), { method: 'POST' })).status, 401, 'not 429')
})

test('the document is sent once: a client that has cached it gets 304', async () => {
  const url = `${service.running.url}/api/v1/openapi.json`
  const first = await fetch(url)
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]{43}\.(?:br|gzip)"$/)
  const again = await fetch(url, { headers: { 'If-None-Match': `W/${etag}` } })
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag])
  assert.equal((await fetch(url, { headers: { 'If-None-Match': '"other"' } })).status, 200)
})
