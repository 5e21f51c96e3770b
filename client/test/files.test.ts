import assert from 'node:assert/strict'
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { makeScratchFolder } from '../../service/test/cli/scratch-folder.ts'
import { fileJournal, folder, saveTo } from '../src/node.ts'

const scratch = makeScratchFolder('client-files')
const outside = path.join(scratch, 'outside')
const root = path.join(scratch, 'root')
await mkdir(outside)
await mkdir(root)
const secret = path.join(outside, 'secret')
await writeFile(secret, 'secret')

const rendered = (design: string) => ({
  design,
  template: 't',
  extension: 'jpg',
  contentType: 'image/jpeg',
  bytes: new Uint8Array(Buffer.from('picture')),
  artwork: [],
  url: null,
  urlExpiresAt: null,
})

async function assertUntouched(): Promise<void> {
  assert.deepEqual(await readdir(outside), ['secret'])
  assert.equal(await readFile(secret, 'utf8'), 'secret')
}

test('a mockup of a run replaces a link in its place, and goes through none to a folder outside', async () => {
  await mkdir(path.join(root, 'within'))
  for (const [name, target] of [
    ['within/t.jpg', secret],
    ['out', outside],
    ['dangling', path.join(outside, 'not-there')],
    ['inner', path.join(root, 'within')],
  ] as const)
    await symlink(target, path.join(root, name))
  const { save } = folder(root)
  await save(rendered('within'))
  assert.equal((await lstat(path.join(root, 'within/t.jpg'))).isFile(), true)
  for (const design of ['out', 'dangling']) await assert.rejects(async () => save(rendered(design)), design)
  await save(rendered('inner'))
  assert.deepEqual(await readdir(path.join(root, 'within')), ['t.jpg'])
  await assertUntouched()
})

test('a root that is a link itself is followed: the user who runs it named it', async () => {
  const link = path.join(scratch, 'link-to-root')
  await symlink(root, link)
  await folder(link).save(rendered('linked'))
  assert.equal(await readFile(path.join(root, 'linked/t.jpg'), 'utf8'), 'picture')
})

test('a journal is not written through a link, and a single mockup replaces one', async () => {
  const link = path.join(root, 'link')
  await symlink(secret, link)
  const journal = fileJournal(link)
  await assert.rejects(async () => journal.read(), /is a link/)
  await assert.rejects(async () => journal.append({ type: 'run', output: '{}' }), /is a link/)
  await saveTo({ stream: new Blob(['picture']).stream() }, link)
  assert.equal(await readFile(link, 'utf8'), 'picture')
  await assertUntouched()
})

test('names that a file system does not take are cut, each stays its own, and a long one has room for its draft', async () => {
  const place = path.join(scratch, 'long')
  const { nameOf, save } = folder(place, '{design}-{template}.{ext}')
  const designs = ['x'.repeat(248), `${'x'.repeat(300)}a`, `${'x'.repeat(300)}b`, 'é'.repeat(126), '畫'.repeat(200)]
  for (const design of designs) await save(rendered(design))
  const names = await readdir(place)
  assert.equal(names.length, designs.length)
  for (const name of names) assert.ok(Buffer.byteLength(name) <= 255 && !name.includes('\ufffd'), name)
  assert.ok(names.every(name => name.endsWith('.jpg')))
  assert.equal(nameOf(rendered('x'.repeat(249))), `${'x'.repeat(249)}-t.jpg`)
  assert.deepEqual(designs.map(design => nameOf(rendered(design))).toSorted(), names.toSorted())
  const single = path.join(scratch, 'y'.repeat(255))
  await saveTo({ stream: new Blob(['picture']).stream() }, single)
  assert.equal(await readFile(single, 'utf8'), 'picture')
})

test('a pattern that leads out of the folder, or ends as another format does, is refused', () => {
  for (const pattern of ['../{design}.{ext}', '/tmp/{design}.{ext}', '{design}/', '', 'a/./{design}.{ext}'])
    assert.throws(() => folder(root, pattern), /below the folder/, pattern)
  for (const pattern of ['{design}.webp', '{design}.png', '{template}/{design}.TIFF'])
    assert.throws(() => folder(root, pattern).nameOf(rendered('d')), /\.jpg at the end/, pattern)
  for (const pattern of ['{design}.jpeg', '{design}.JPG', '{design}', '{design}.v2'])
    assert.equal(folder(root, pattern).nameOf(rendered('d')), pattern.replace('{design}', 'd'))
  assert.throws(() => folder(root, '{design}.jpg').nameOf({ ...rendered('d'), extension: 'png' }), /\.png at the end/)
})
