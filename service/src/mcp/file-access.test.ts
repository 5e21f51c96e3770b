import assert from 'node:assert/strict'
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { plainPicture } from '../../test/mockups/test-bundle.ts'
import { pathOf } from './artwork-path.ts'
import { FileAccess } from './file-access.ts'

let scratch: string
let root: string
let outside: string
let picture: string
let access: FileAccess
beforeEach(async () => {
  scratch = await realpath(await mkdtemp(path.join(os.tmpdir(), 'vitrine-access-')))
  root = path.join(scratch, 'root')
  outside = path.join(scratch, 'outside')
  picture = path.join(scratch, 'picture')
  await mkdir(path.join(root, 'made'), { recursive: true })
  await mkdir(outside)
  await writeFile(picture, 'new picture')
  await writeFile(path.join(outside, 'secret.jpg'), 'secret')
  access = await FileAccess.open(root)
})
afterEach(() => rm(scratch, { recursive: true, force: true }))

/** Asserts that nothing was written outside the root, and that no draft remains in it. */
async function assertUntouched(): Promise<void> {
  assert.deepEqual(await readdir(outside), ['secret.jpg'])
  assert.equal(await readFile(path.join(outside, 'secret.jpg'), 'utf8'), 'secret')
  const left = (await readdir(root, { recursive: true })).filter(name => path.basename(name).startsWith('.'))
  assert.deepEqual(left, [])
}

for (const isOverwriting of [true, false])
  test(`a link in place of a picture is not followed, overwriting ${isOverwriting}`, async () => {
    for (const target of ['secret.jpg', 'not-there.jpg']) {
      const file = path.join(root, `made/${target}`)
      await symlink(path.join(outside, target), file)
      const kept = await access.save(picture, path.join(root, 'made'), target, isOverwriting)
      assert.equal(await readFile(kept, 'utf8'), 'new picture')
      assert.equal((await lstat(kept)).isFile(), true)
      assert.equal(kept === file, isOverwriting)
      assert.equal((await lstat(file)).isSymbolicLink(), !isOverwriting)
    }
    await assertUntouched()
  })

test('a link to the same picture outside the root is treated like any other link', async () => {
  await writeFile(path.join(outside, 'secret.jpg'), 'new picture')
  await symlink(path.join(outside, 'secret.jpg'), path.join(root, 'made/a.jpg'))
  assert.equal(await access.save(picture, path.join(root, 'made'), 'a.jpg', false), path.join(root, 'made/a-2.jpg'))
  assert.equal(await access.save(picture, path.join(root, 'made'), 'a.jpg', false), path.join(root, 'made/a-2.jpg'))
})

for (const isOverwriting of [true, false])
  test(`a folder that is replaced by a link during rendering is not followed, overwriting ${isOverwriting}`, async () => {
    const folder = await access.findFolder('a/b')
    // The folder itself, and then a folder above it.
    for (const moved of ['a/b', 'a']) {
      await rename(path.join(root, moved), path.join(root, `moved-${path.basename(moved)}`))
      await symlink(outside, path.join(root, moved))
      await mkdir(path.join(scratch, 'b'), { recursive: true })
      await assert.rejects(access.save(picture, folder, 'secret.jpg', isOverwriting), /^Error: Expected a folder below/)
      await rm(path.join(root, moved))
      await rename(path.join(root, `moved-${path.basename(moved)}`), path.join(root, moved))
    }
    await assertUntouched()
  })

test('a parent folder that links to one of the same name outside the root is not followed', async () => {
  const folder = await access.findFolder('a/b')
  await rename(path.join(root, 'a'), path.join(root, 'c'))
  await mkdir(path.join(scratch, 'other/b'), { recursive: true })
  await symlink(path.join(scratch, 'other'), path.join(root, 'a'))
  await assert.rejects(access.save(picture, folder, 'x.jpg', true), /^Error: Expected a folder below/)
  assert.deepEqual(await readdir(path.join(scratch, 'other/b')), [])
})

test('folders are created only below the root, and links within it are followed', async () => {
  await symlink(outside, path.join(root, 'out'))
  await symlink(path.join(outside, 'not-there'), path.join(root, 'dangling'))
  await symlink(path.join(root, 'made'), path.join(root, 'within'))
  await writeFile(path.join(root, 'file'), '')
  for (const given of ['out', 'out/x', 'dangling', 'dangling/x', '..', '../outside', outside, 'file/x', 'file'])
    await assert.rejects(access.findFolder(given), /^Error: Expected a folder/, given)
  assert.equal(await access.findFolder('within/x'), path.join(root, 'made/x'))
  assert.equal(await access.findFolder(''), root)
  await assertUntouched()
})

test('a folder in place of a picture is an error, and no draft remains', async () => {
  await mkdir(path.join(root, 'made/x.jpg/full'), { recursive: true })
  await assert.rejects(access.save(picture, path.join(root, 'made'), 'x.jpg', true))
  assert.equal(await access.save(picture, path.join(root, 'made'), 'x.jpg', false), path.join(root, 'made/x-2.jpg'))
  await assertUntouched()
})

test('a file URI is resolved to its path, and anything but a path is rejected', async () => {
  const file = path.join(root, 'a é.png')
  await writeFile(file, await plainPicture(4, 4, [1, 2, 3]))
  assert.equal((await access.findArtwork(pathToFileURL(file).href)).file, file)
  assert.equal(await access.findFolder(pathToFileURL(path.join(root, 'made')).href), path.join(root, 'made'))
  await assert.rejects(access.findArtwork(pathToFileURL(path.join(outside, 'secret.jpg')).href), /below/)
  await assert.rejects(access.findArtwork('example.com/a.png'), /none at "example\.com\/a\.png"\. An address begins/)
  await assert.rejects(access.findArtwork('gone.png'), /none at "gone\.png"\.$/)
  for (const [given, sentence] of [
    ['file://a.png', /file:\/\/ and a path from the root on .* but received "file:\/\/a\.png"/],
    ['data:image/png;base64,iVBORw0KGgo=', /received its bytes: save them as a file first/],
    ['iVBORw0KGgo'.repeat(50), /received its bytes/],
    ['ftp://example.com/a.png', /received one with ftp:\/\//],
  ] as const)
    assert.throws(() => pathOf(given), sentence)
  assert.equal(pathOf('made/logo.png'), 'made/logo.png')
})
