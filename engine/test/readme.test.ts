import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { inspectArtwork } from '../src/index.ts'

const root = path.resolve(import.meta.dirname, '../..')

it('the mockup in ten lines of the README runs as it stands and writes a picture', async () => {
  const readme = await readFile(path.join(root, 'engine/README.md'), 'utf8')
  const [, snippet] = /```ts\n(.+?)```/s.exec(readme) ?? []
  assert.ok(snippet)
  const lines = snippet.split('\n').filter(line => line !== '' && !line.startsWith('import '))
  assert.ok(lines.length <= 10, `${lines.length} lines`)

  const directory = await mkdtemp(path.join(tmpdir(), 'vitrine-readme-'))
  try {
    await writeFile(path.join(directory, 'mockup.ts'), snippet)
    await writeFile(path.join(directory, 'package.json'), '{"type":"module"}')
    await symlink(path.join(root, 'templates'), path.join(directory, 'templates'))
    await mkdir(path.join(directory, 'node_modules'))
    await symlink(path.join(root, 'node_modules/@vitrine'), path.join(directory, 'node_modules/@vitrine'))
    await promisify(execFile)(process.execPath, ['mockup.ts'], { cwd: directory })
    const { type, widthPx } = inspectArtwork(await readFile(path.join(directory, 'mockup.jpg')))
    assert.deepEqual([type, widthPx], ['jpeg', 1200])
  } finally {
    await rm(directory, { recursive: true })
  }
})
