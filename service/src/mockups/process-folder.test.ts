import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { ProcessFolder } from './process-folder.ts'
import type { RenderJob } from './render-job.ts'

/** On Linux, shared memory is a second file system; elsewhere there may be none. */
const OTHER_FILE_SYSTEM = '/dev/shm'
const JOB_ID = 1

const root = mkdtempSync(path.join(tmpdir(), 'vitrine-process-folder-'))
const hasOther = existsSync(OTHER_FILE_SYSTEM) && statSync(OTHER_FILE_SYSTEM).dev !== statSync(root).dev
const elsewhere = hasOther ? mkdtempSync(path.join(OTHER_FILE_SYSTEM, 'vitrine-process-folder-')) : root
after(() => {
  for (const folder of [root, elsewhere]) rmSync(folder, { recursive: true, force: true })
})
const secret = path.join(root, 'secret')
writeFileSync(secret, 'of somebody else')

/** What a compromised process may leave in place of a picture. */
const impostors: Readonly<Record<string, (picture: string) => void>> = {
  'a link to a file': picture => symlinkSync(secret, picture),
  'a link to nothing': picture => symlinkSync(path.join(root, 'nothing'), picture),
  'a second name of a file': picture => linkSync(secret, picture),
  'a folder with a link in it': picture => {
    mkdirSync(picture)
    symlinkSync(secret, path.join(picture, 'link'))
  },
  'a pipe': picture => assert.equal(spawnSync('mkfifo', [picture]).status, 0),
}

for (const [where, to] of [
  ['on the same file system', root],
  ['on another file system', elsewhere],
] as const)
  describe(`What a render process delivers ${where}`, { skip: where.includes('another') && !hasOther }, () => {
    const jobTo = (toFile: string): RenderJob => ({
      accountId: 'account_a',
      mockups: [{ bundle: { key: 'a@1', folder: path.join(root, 'no-bundle') }, toFile }],
      artworks: [],
      placements: { all: undefined, byFrame: [] },
      colors: [],
      output: { format: 'jpeg', quality: 85, widthPx: 100 },
    })

    it('is moved if it is a file', () => {
      const folder = new ProcessFolder(root)
      const toFile = path.join(to, 'delivered')
      writeFileSync(path.join(folder.outPath, `mockup-${JOB_ID}-0`), 'a picture')
      folder.deliver(JOB_ID, jobTo(toFile))
      assert.equal(readFileSync(toFile, 'utf8'), 'a picture')
      assert.ok(!existsSync(path.join(folder.outPath, `mockup-${JOB_ID}-0`)))
    })

    for (const [name, leave] of Object.entries(impostors))
      it(`is refused if it is ${name}: no link is followed, and nothing is left`, { timeout: 10_000 }, () => {
        const folder = new ProcessFolder(root)
        const toFile = path.join(to, `refused-${name.replaceAll(' ', '-')}`)
        const picture = path.join(folder.outPath, `mockup-${JOB_ID}-0`)
        leave(picture)
        assert.throws(() => folder.deliver(JOB_ID, jobTo(toFile)))
        assert.equal(lstatSync(toFile, { throwIfNoEntry: false }), undefined)
        assert.equal(readFileSync(secret, 'utf8'), 'of somebody else')
      })
  })
