import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { PrivateFolders } from './private-folders.ts'

describe('The private folder of a request', () => {
  let root = ''

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'vitrine-folders-'))
  })
  after(() => rm(root, { recursive: true, force: true }))

  it('is accessible only to this user, and removed with its content', async () => {
    const folders = await PrivateFolders.open(path.join(root, 'new', 'root'))
    {
      await using folder = await folders.create()
      assert.equal((await stat(folder.path)).mode & 0o777, 0o700)
      await mkdir(folder.file('deep'))
      await writeFile(folder.file('deep/file'), 'x')
    }
    assert.deepEqual(await readdir(folders.root), [])
  })

  it('is removed at the next start if its process was killed, and retained while its process is alive', async () => {
    const dead = spawn('true')
    await once(dead, 'exit')
    const alive = spawn('sleep', ['60'])
    const names = [`request-${dead.pid}-aaaaaa`, `request-${alive.pid}-bbbbbb`, `request-${process.pid}-cccccc`, 'else']
    for (const name of names) await mkdir(path.join(root, 'kept', name), { recursive: true })
    await PrivateFolders.open(path.join(root, 'kept'))
    assert.deepEqual(
      (await readdir(path.join(root, 'kept'))).toSorted(),
      ['else', `request-${alive.pid}-bbbbbb`].toSorted(),
    )
    alive.kill()
  })
})
