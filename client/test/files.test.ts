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
