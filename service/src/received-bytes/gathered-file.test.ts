import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { array, assert as assertProperty, asyncProperty, integer } from 'fast-check'
import { ContentName } from './content-name.ts'
import { GatheredFile } from './gathered-file.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-gathered-'))
})
after(() => rm(folder, { recursive: true }))

test('whatever the chunk sizes, the file has all bytes in order', async () => {
  let count = 0
  const sizes = array(integer({ min: 0, max: 2_500_000 }), { maxLength: 4 })
  await assertProperty(
    asyncProperty(sizes, async sizesBytes => {
      const pieces = sizesBytes.map((sizeBytes, index) =>
        Buffer.from(Uint8Array.from({ length: sizeBytes }, (_, at) => at * 7 + index)),
      )
      const whole = Buffer.concat(pieces)
      const name = path.join(folder, `file-${count++}`)
      {
        const isHashed = count % 2 === 0
        await using file = await GatheredFile.create(name, { isHashed })
        for (const piece of pieces) {
          await file.write(piece)
          piece.fill(0)
        }
        const { sizeBytes, contentName, sha256 } = await file.end()
        assert.deepEqual([sizeBytes, file.sizeBytes], [whole.length, whole.length])
        const named = new ContentName()
        named.update(whole)
        assert.equal(contentName, named.end())
        assert.equal(sha256, isHashed ? hash('sha256', whole, 'hex') : null)
      }
      assert((await readFile(name)).equals(whole))
      assert.equal((await stat(name)).mode & 0o777, 0o600)
    }),
    { numRuns: 12 },
  )
})

test('an existing file is not overwritten', async () => {
  const name = path.join(folder, 'existing')
  await (await GatheredFile.create(name))[Symbol.asyncDispose]()
  await assert.rejects(GatheredFile.create(name), { code: 'EEXIST' })
})
