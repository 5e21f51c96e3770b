import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { makeScratchFolder } from '../../test/cli/scratch-folder.ts'
import { FileAccess } from './file-access.ts'

const scratch = makeScratchFolder('file-access')
const root = path.join(scratch, 'root')
const outside = path.join(scratch, 'outside.jpg')
const dangling = path.join(scratch, 'new.jpg')
const picture = path.join(scratch, 'picture.jpg')
mkdirSync(root)
writeFileSync(picture, 'a picture')

test('a finished picture never goes through a link: it takes the place of one, or another name', async () => {
  const files = await FileAccess.open(root)
  const folder = await files.findFolder('mockups')
  writeFileSync(outside, 'somebody else’s')
  symlinkSync(outside, path.join(folder, 'linked.jpg'))
  symlinkSync(dangling, path.join(folder, 'dangling.jpg'))
  for (const name of ['linked.jpg', 'dangling.jpg']) {
    const beside = await files.keep(picture, folder, name, false)
    assert.equal(path.basename(beside), name.replace('.jpg', '-2.jpg'))
    assert.ok(lstatSync(path.join(folder, name)).isSymbolicLink())
    const file = await files.keep(picture, folder, name, true)
    assert.equal(file, path.join(folder, name))
    assert.ok(!lstatSync(file).isSymbolicLink())
    assert.equal(readFileSync(file, 'utf8'), 'a picture')
  }
  assert.equal(readFileSync(outside, 'utf8'), 'somebody else’s')
  assert.ok(!existsSync(dangling))
  assert.deepEqual(readdirSync(folder).sort(), ['dangling-2.jpg', 'dangling.jpg', 'linked-2.jpg', 'linked.jpg'])
})

test('a link to the same bytes is not the answer, a file of them is', async () => {
  const files = await FileAccess.open(root)
  const folder = await files.findFolder('again')
  symlinkSync(picture, path.join(folder, 'a.jpg'))
  assert.equal(await files.keep(picture, folder, 'a.jpg', false), path.join(folder, 'a-2.jpg'))
  assert.equal(await files.keep(picture, folder, 'a.jpg', false), path.join(folder, 'a-2.jpg'))
})

test('a picture that cannot be put in place leaves nothing beside it', async () => {
  const files = await FileAccess.open(root)
  const folder = await files.findFolder('taken')
  mkdirSync(path.join(folder, 'a.jpg'))
  await assert.rejects(files.keep(picture, folder, 'a.jpg', true))
  assert.deepEqual(readdirSync(folder), ['a.jpg'])
})
