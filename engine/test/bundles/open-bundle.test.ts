import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import * as fc from 'fast-check'
import { deflateSync, zipSync } from 'fflate'
import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { openBundleFolder } from '../../src/node/open-bundle-folder.ts'
import { BundleError, describeFault } from '../../src/template/bundle-error.ts'
import { checkBundle } from '../../src/template/check-bundle.ts'
import { openBundleZip } from '../../src/template/open-bundle-zip.ts'
import { bundleOf, goodBundle, goodDescription, writeBundle } from './make-bundle.ts'

type ZipFile = {
  readonly name: string
  readonly data: Uint8Array
  /** what the directory says, where it lies */
  readonly declaredSizeBytes?: number
  readonly declaredCrc?: number
  readonly unixMode?: number
  readonly method?: number
  readonly flags?: number
}

/** A zip written by hand, so that it can lie. */
function zip(files: readonly ZipFile[], declaredCount = files.length): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const name = Buffer.from(file.name)
    const method = file.method ?? 8
    const packed = Buffer.from(method === 8 ? deflateSync(file.data) : file.data)
    const crc = file.declaredCrc ?? crc32(file.data)
    const sizeBytes = file.declaredSizeBytes ?? file.data.byteLength
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(file.flags ?? 0, 8)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(crc, 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(sizeBytes, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(((file.unixMode ?? 0) << 16) >>> 0, 38)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, name, packed)
    directory.push(entry, name)
    offset += 30 + name.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(declaredCount, 8)
  end.writeUInt16LE(declaredCount, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}

function faultsOf(open: () => unknown): string {
  try {
    open()
  } catch (error) {
    assert.ok(error instanceof BundleError, String(error))
    return error.faults.map(describeFault).join('\n')
  }
  return ''
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const hello: ZipFile = { name: 'template.json', data: text('{}') }

describe('a zip of a bundle', () => {
  it('that zip tools write is read whole, with the folder in front or without', async () => {
    const files = await goodBundle()
    for (const prefix of ['', 'my-template/']) {
      const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([name, data]) => [prefix + name, data])))
      const opened = openBundleZip(bytes)
      const { template, faults } = await checkBundle(opened, createSharpCodec())
      assert.deepEqual(faults, [])
      assert.equal(template?.id, 'oak-frame')
    }
  })

  it('may hold stored files, folders and what systems leave behind', async () => {
    const opened = openBundleZip(
      zip([
        { ...hello, method: 0 },
        { name: 'layers/', data: new Uint8Array(0), unixMode: 0o040755 },
        { name: '__MACOSX/._template.json', data: text('x') },
        { name: '.DS_Store', data: text('x') },
        { name: 'layers/._a.png', data: text('x') },
        { name: 'layers/__MACOSX/a.png', data: text('x') },
        { name: '@eaDir/a.png/SYNO.jpg', data: text('x') },
        { name: 'thumbs.db', data: text('x') },
        { name: 'layers/a.png', data: text('a'), unixMode: 0o100644 },
      ]),
    )
    assert.deepEqual(
      (await opened.list()).map(file => file.path),
      ['template.json', 'layers/a.png'],
    )
    assert.deepEqual(await opened.read('template.json'), Buffer.from('{}'))
    await assert.rejects(opened.read('layers/b.png'), /no file/)
  })

  it('may have names in the Unicode form of macOS, and the description names in the other', async () => {
    const { 'scene.png': scene, ...files } = await goodBundle()
    assert.ok(scene)
    const description = JSON.stringify({ ...goodDescription(), scene: 'scéne.png'.normalize('NFC') })
    const named = { ...files, 'template.json': text(description), ['scéne.png'.normalize('NFD')]: scene }
    const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-nfd-'))
    await writeBundle(folder, named)
    for (const opened of [openBundleZip(zipSync(named)), await openBundleFolder(folder)]) {
      const { template, faults } = await checkBundle(opened, createSharpCodec())
      assert.deepEqual(faults, [])
      assert.deepEqual(Buffer.from(await opened.read(template?.scene ?? '')), Buffer.from(scene))
    }
    await writeFile(path.join(folder, 'scéne.png'.normalize('NFC')), scene)
    await assert.rejects(openBundleFolder(folder), /scéne\.png in another Unicode form/u)
    await rm(folder, { recursive: true })
  })

  it('tells of two names that look equal', async () => {
    const { 'scene.png': scene, ...files } = await goodBundle()
    assert.ok(scene)
    const { faults } = await checkBundle(bundleOf({ ...files, 'ſcene.png': scene }), createSharpCodec())
    assert.ok(faults.some(({ received }) => received === 'nothing (there is "ſcene.png", another Unicode form)'))
  })

  const refused: readonly (readonly [rule: string, bytes: () => Uint8Array, expected: RegExp])[] = [
    ['nothing', () => new Uint8Array(0), /a zip but received an empty file/],
    ['another file', () => text('this is no zip at all, but long enough'), /no whole zip/],
    ['a picture', () => text('GIF89a'), /a zip but received a GIF picture/],
    ['a cut zip', () => zip([hello]).subarray(0, -1), /no whole zip/],
    ['a list of files that is cut', () => zip([hello], 2), /sound list of files/],
    [
      '1,001 files',
      () => zip(Array.from({ length: 1001 }, (_, i) => ({ name: `f${i}`, data: text('') }))),
      /at most 1000 files/,
    ],
    ['a path that climbs out', () => zip([hello, { name: '../evil', data: text('x') }]), /inside the folder/],
    [
      'a path that climbs out in the middle',
      () => zip([hello, { name: 'a/../../evil', data: text('x') }]),
      /inside the folder/,
    ],
    ['an absolute path', () => zip([hello, { name: '/etc/passwd', data: text('x') }]), /relative to the folder/],
    ['a path with a drive', () => zip([hello, { name: 'C:/evil', data: text('x') }]), /relative to the folder/],
    ['a path with backslashes', () => zip([hello, { name: '..\\evil', data: text('x') }]), /forward slashes/],
    [
      'a path with a control character',
      () => zip([hello, { name: 'a\u0000b', data: text('x') }]),
      /control characters/,
    ],
    ['a path of 201 characters', () => zip([hello, { name: 'a'.repeat(201), data: text('x') }]), /1 to 200/],
    [
      'a link',
      () => zip([hello, { name: 'scene.png', data: text('/etc/passwd'), unixMode: 0o120777 }]),
      /a regular file.*a link/,
    ],
    ['a device', () => zip([hello, { name: 'scene.png', data: text(''), unixMode: 0o020666 }]), /a special file/],
    ['two files of one name', () => zip([hello, hello]), /every name once/],
    ['two names that differ in case', () => zip([hello, { ...hello, name: 'Template.json' }]), /every name once/],
    ['an encrypted file', () => zip([{ ...hello, flags: 1 }]), /encrypted/],
    ['another compression', () => zip([{ ...hello, method: 12 }]), /compression method 12/],
    [
      'more than 200 MB declared',
      () => zip([hello, { name: 'a', data: text('a'), declaredSizeBytes: 200 * 1024 * 1024 + 1 }]),
      /at most 200 MB unpacked/,
    ],
    [
      'more than 200 MB declared in all',
      () => zip([0, 1, 2].map(i => ({ name: `f${i}`, data: text('a'), declaredSizeBytes: 70 * 1024 * 1024 }))),
      /at most 200 MB unpacked/,
    ],
  ]
  for (const [rule, bytes, expected] of refused) {
    it(`is refused for ${rule}`, () =>
      assert.match(
        faultsOf(() => openBundleZip(bytes())),
        expected,
      ))
  }

  it('that is a bomb is stopped at the size that it declares', async () => {
    const bomb = zip([{ name: 'template.json', data: new Uint8Array(64 * 1024 * 1024), declaredSizeBytes: 1000 }])
    const before = process.memoryUsage().arrayBuffers
    await assert.rejects(openBundleZip(bomb).read('template.json'), BundleError)
    assert.ok(process.memoryUsage().arrayBuffers - before < 48 * 1024 * 1024)
  })

  it('whose data does not have the declared checksum or size is refused when the file is read', async () => {
    await assert.rejects(openBundleZip(zip([{ ...hello, declaredCrc: 1 }])).read('template.json'), /checksum/)
    await assert.rejects(
      openBundleZip(zip([{ ...hello, declaredSizeBytes: 3 }])).read('template.json'),
      /declares \(3\)/,
    )
  })

  it('with any damage is read or refused with faults, and nothing else happens', async () => {
    const good = Buffer.from(zipSync({ 'template.json': text('{"format":1}'), 'a/b.png': new Uint8Array(300) }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(40),
        async (changes, cut) => {
          const bytes = Buffer.from(good.subarray(0, good.length - (cut > 20 ? cut - 20 : 0)))
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
          try {
            const opened = openBundleZip(bytes)
            for (const file of await opened.list()) await opened.read(file.path)
          } catch (error) {
            assert.ok(error instanceof BundleError, String(error))
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a folder of a bundle', () => {
  let directory = ''
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'vitrine-bundle-'))
  })
  after(async () => {
    await rm(directory, { recursive: true })
  })

  it('is read file by file, folders within it too', async () => {
    const folder = path.join(directory, 'good')
    const files = await goodBundle()
    await writeBundle(folder, { ...files, '.DS_Store': text('x'), '._scene.png': text('x'), '__MACOSX/a': text('x') })
    const opened = await openBundleFolder(folder)
    assert.deepEqual(new Set((await opened.list()).map(file => file.path)), new Set(Object.keys(files)))
    const { faults } = await checkBundle(opened, createSharpCodec())
    assert.deepEqual(faults, [])
    await assert.rejects(opened.read('../good/template.json'), /no file/)
  })

  it('is refused for links and special files, all of them named', async () => {
    const folder = path.join(directory, 'links')
    await writeBundle(folder, { 'template.json': text('{}') })
    await symlink('/etc/passwd', path.join(folder, 'scene.png'))
    await symlink('/etc', path.join(folder, 'layers'))
    await promisify(execFile)('mkfifo', [path.join(folder, 'pipe')])
    await assert.rejects(openBundleFolder(folder), error => {
      assert.ok(error instanceof BundleError)
      assert.deepEqual(
        error.faults.map(fault => [fault.file, fault.received]),
        [
          ['layers', 'a link'],
          ['pipe', 'a special file'],
          ['scene.png', 'a link'],
        ],
      )
      return true
    })
  })

  it('does not follow a link that takes a file place after the listing', async () => {
    const folder = path.join(directory, 'swap')
    await writeBundle(folder, { 'template.json': text('{}') })
    const opened = await openBundleFolder(folder)
    await rm(path.join(folder, 'template.json'))
    await symlink('/etc/passwd', path.join(folder, 'template.json'))
    await assert.rejects(opened.read('template.json'), /ELOOP/)
  })

  it('is refused over 200 MB without reading it', async () => {
    const folder = path.join(directory, 'large')
    await writeBundle(folder, { 'template.json': text('{}') })
    await writeFile(path.join(folder, 'a.bin'), '')
    await promisify(execFile)('truncate', ['-s', String(200 * 1024 * 1024), path.join(folder, 'a.bin')])
    await assert.rejects(openBundleFolder(folder), /at most 200 MB/)
  })
})
