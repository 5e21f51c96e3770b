import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  array,
  assert as assertProperty,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  record,
  uint8Array,
} from 'fast-check'
import { ApiError } from './api-error.ts'
import { type ByteSource, MultipartReader, type PartHeader, parseBoundary } from './multipart-reader.ts'

const BOUNDARY = 'b--'

/**
 * A source of chunks of these sizes, in rotation. Each has its own memory, as from a connection, which is
 * cleared on release.
 */
function sourceOf(bytes: Buffer, pieceSizes: readonly number[]): ByteSource {
  let offset = 0
  let count = 0
  return {
    next() {
      if (offset >= bytes.length) return null
      const size = pieceSizes[count++ % pieceSizes.length] ?? 1
      offset += size
      const piece = Buffer.from(new Uint8Array(bytes.subarray(offset - size, offset)).buffer)
      // Some chunks are available at once, others only later.
      return count % 3 === 0 ? piece : Promise.resolve(piece)
    },
  }
}

type Part = {
  readonly header: PartHeader
  readonly content: Buffer
}

async function readAll(reader: MultipartReader): Promise<Part[]> {
  const parts: Part[] = []
  for (let header = await reader.nextPart(); header !== null; header = await reader.nextPart()) {
    const pieces: Buffer[] = []
    // Some consumers finish at once, others later: a chunk must stay valid until then.
    await reader.readBody(piece => {
      if (piece.length % 2 === 0) {
        pieces.push(Buffer.from(piece))
        return undefined
      }
      return Promise.resolve().then(() => void pieces.push(Buffer.from(piece)))
    })
    parts.push({ header, content: Buffer.concat(pieces) })
  }
  return parts
}

function write(contents: readonly Uint8Array[], preamble = ''): Buffer {
  const parts = contents.flatMap((content, index) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="part-${index}"\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([Buffer.from(preamble), ...parts, Buffer.from(`--${BOUNDARY}--\r\nepilogue`)])
}

const read = (text: string) => readAll(new MultipartReader(sourceOf(Buffer.from(text), [text.length]), BOUNDARY))
const isMalformed = (error: unknown) => error instanceof ApiError && error.code === 'MALFORMED_REQUEST'
const part = (header: string, content = 'x') => `--${BOUNDARY}\r\n${header}\r\n\r\n${content}\r\n--${BOUNDARY}--`

test('whatever the parts contain and however the bytes arrive, the parts are read completely', async () => {
  // Contents made of the delimiter's own bytes.
  const nasty = array(constantFrom('\r', '\n', '-', 'b', '\r\n--b-', `--${BOUNDARY}x`), { maxLength: 12 })
    .map(pieces => Buffer.from(pieces.join('')))
    .filter(content => !`\r\n${content.toString('latin1')}\r\n`.includes(`\r\n--${BOUNDARY}`))
  const contents = array(oneof(nasty, uint8Array({ maxLength: 200 })), { maxLength: 5 })
  const pieceSizes = array(integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 5 })
  await assertProperty(
    asyncProperty(record({ contents, pieceSizes }), async ({ contents, pieceSizes }) => {
      const bytes = write(contents, contents.length % 2 === 0 ? '' : 'preamble\r\n')
      const parts = await readAll(new MultipartReader(sourceOf(bytes, pieceSizes), BOUNDARY))
      assert.deepEqual(
        parts.map(({ content }) => content.toString('hex')),
        contents.map(content => Buffer.from(content).toString('hex')),
      )
      assert.deepEqual(
        parts.map(({ header }) => header.name),
        contents.map((_, index) => `part-${index}`),
      )
    }),
    { numRuns: 300 },
  )
})

test('wherever a body is cut, it is malformed', async () => {
  const whole = write([Buffer.from('first'), Buffer.from('second')])
  const end = whole.indexOf(`--${BOUNDARY}--`) + BOUNDARY.length + 4
  for (let length = 0; length < end; length++)
    await assert.rejects(readAll(new MultipartReader(sourceOf(whole.subarray(0, length), [7]), BOUNDARY)), isMalformed)
})

for (const [header, expected] of [
  ['Content-Disposition: form-data; name="a"', { name: 'a', fileName: null }],
  ['content-disposition:form-data;name=a', { name: 'a', fileName: null }],
  [
    'Content-Type: Text/Plain; charset=utf-8\r\nContent-Disposition: form-data; name="a"; filename="b.png"',
    { name: 'a', fileName: 'b.png', mediaType: 'text/plain' },
  ],
  ['Content-Disposition: form-data; filename=""; name="a"', { name: 'a', fileName: '' }],
  [
    'Content-Disposition: form-data; name="a\\"b"; filename="../../etc/passwd"',
    { name: 'a"b', fileName: '../../etc/passwd' },
  ],
  ['Content-Disposition: form-data; name="a"; filename*=UTF-8\'\'b.png', { name: 'a', fileName: "UTF-8''b.png" }],
  ['Content-Disposition: form-data; name="filename=x; y"', { name: 'filename=x; y', fileName: null }],
  ['__proto__: x\r\nContent-Disposition: form-data; name="__proto__"', { name: '__proto__', fileName: null }],
] as const)
  test(`${header.replaceAll('\r\n', ' | ')} names ${expected.name}`, async () => {
    assert.deepEqual(
      (await read(part(header))).map(found => found.header),
      [{ mediaType: '', ...expected }],
    )
  })

for (const header of ['X: y', 'Content-Disposition: attachment; name="a"', 'Content-Disposition: form-data'])
  test(`a part with the header ${header.slice(0, 40)} is malformed`, async () => {
    await assert.rejects(read(part(header)), isMalformed)
  })

test('at most 200 parts are read', async () => {
  const parts = (count: number) => write(Array.from({ length: count }, () => Buffer.from('x'))).toString('latin1')
  assert.equal((await read(parts(200))).length, 200)
  await assert.rejects(read(parts(201)), isMalformed)
})

test('the header of a part has at most 2,048 bytes', async () => {
  const sized = (bytes: number) => `Content-Disposition: form-data; name="a"\r\nX: `.padEnd(bytes, 'x')
  assert.equal((await read(part(sized(2048)))).length, 1)
  await assert.rejects(read(part(sized(2049))), isMalformed)
  await assert.rejects(read(part(sized(17_000))), isMalformed)
})

test('the header of a part has at most 8 parameters', async () => {
  const withParameters = (count: number) =>
    part(`Content-Disposition: form-data; name="a"${Array.from({ length: count - 1 }, (_, i) => `; p${i}=x`).join('')}`)
  assert.equal((await read(withParameters(8))).length, 1)
  await assert.rejects(read(withParameters(9)), isMalformed)
})

test('the headers of all parts have at most 64 KiB together', async () => {
  const header = `Content-Disposition: form-data; name="a"\r\nX: `
  const whole = (bytes: readonly number[]) =>
    `${bytes.map(size => `--${BOUNDARY}\r\n${header.padEnd(size, 'x')}\r\n\r\nx\r\n`).join('')}--${BOUNDARY}--`
  const full = Array.from({ length: 32 }, () => 2048)
  assert.equal((await read(whole(full))).length, 32)
  await assert.rejects(read(whole([...full, header.length])), isMalformed)
})

test('a boundary has 1 to 70 characters, quoted or not', () => {
  assert.equal(parseBoundary('multipart/form-data; boundary=abc'), 'abc')
  assert.equal(parseBoundary('multipart/form-data; charset=x; BOUNDARY="a b"; y'), 'a b')
  assert.equal(parseBoundary(`multipart/form-data; boundary=${'b'.repeat(70)}`).length, 70)
  for (const contentType of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
  ])
    assert.throws(() => parseBoundary(contentType), isMalformed)
})
