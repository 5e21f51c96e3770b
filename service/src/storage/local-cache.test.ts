import assert from 'node:assert/strict'
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { LocalCache } from './local-cache.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-local-cache-'))
after(() => rm(folder, { recursive: true, force: true }))

let rootCount = 0
const newRoot = () => path.join(folder, `root-${++rootCount}`)

const file = (sizeBytes: number) => async (draft: string) => {
  const made = path.join(draft, 'made')
  await writeFile(made, Buffer.alloc(sizeBytes))
  return made
}

/** Backdates the last use of an entry, as if another process had recorded it. */
const age = (cache: LocalCache, name: string, seconds: number) => {
  const at = new Date(Date.now() - seconds * 1000)
  return utimes(cache.path(name), at, at)
}

test('a process’s output that is not a plain file is refused and removed', async () => {
  const cache = new LocalCache(newRoot(), { maxBytes: 1000 })
  const secret = path.join(folder, 'secret')
  await writeFile(secret, 'secret')
  const links: readonly ((draft: string) => Promise<string>)[] = [
    async draft => {
      await symlink(secret, path.join(draft, 'made'))
      return path.join(draft, 'made')
    },
    async draft => {
      await link(secret, path.join(draft, 'made'))
      return path.join(draft, 'made')
    },
    async draft => {
      await mkdir(path.join(draft, 'below'))
      await symlink(secret, path.join(draft, 'below/link'))
      return draft
    },
  ]
  for (const make of links) await assert.rejects(cache.add('a', make), /expected files and folders in a cache/)
  assert.deepEqual(await readdir(cache.root), [])
  assert.equal(await cache.use('a'), false)
  assert.equal(await readFile(secret, 'utf8'), 'secret')
})

test('a folder that another process made first is retained, a file is replaced', async () => {
  const cache = new LocalCache(newRoot(), { maxBytes: 1000 })
  const folderOf = (text: string) => async (draft: string) => {
    await writeFile(path.join(draft, 'text'), text)
    return draft
  }
  assert.equal(await cache.add('folder', folderOf('first')), true)
  assert.equal(await cache.add('folder', folderOf('second')), false)
  assert.equal(await readFile(path.join(cache.path('folder'), 'text'), 'utf8'), 'first')
  assert.equal(await cache.add('file', file(1)), true)
  assert.equal(await cache.add('file', file(2)), true)
  assert.equal((await readFile(cache.path('file'))).length, 2)
})

test('beyond the bound only entries unused for long enough are evicted, by their times on the disk', async () => {
  const root = newRoot()
  const cache = new LocalCache(root, { maxBytes: 250, unusedMs: 60_000 })
  for (const name of ['a', 'b', 'c', 'd']) await cache.add(name, file(100))
  const other = new LocalCache(root, { maxBytes: 250, unusedMs: 60_000 })
  for (const [name, seconds] of [
    ['a', 200],
    ['b', 300],
    ['c', 30],
  ] as const)
    await age(other, name, seconds)
  assert.equal(await other.use('a'), true)
  await other.list()
  await other.dropBeyond()
  assert.deepEqual((await readdir(root)).sort(), ['a', 'c', 'd'], 'three are in use')
  assert.equal(await other.use('b'), false)
  await age(other, 'd', 300)
  const third = new LocalCache(root, { maxBytes: 250, unusedMs: 60_000 })
  await third.list()
  assert.deepEqual(await third.dropOthers(name => name === 'a'), ['d'], 'c is in use')
})
