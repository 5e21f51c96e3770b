import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { makeScratchFolder } from '../../test/cli/scratch-folder.ts'
import { assertOwnPlaces, findDesigns, JOURNAL_NAME } from './find-designs.ts'

const scratch = makeScratchFolder('find-designs')
const NAMES = '{design}/{template}.{ext}'

async function makeFiles(name: string, ...files: readonly string[]): Promise<string> {
  const root = path.join(scratch, name)
  for (const file of files) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), '')
  }
  return root
}

async function check(root: string, outputFolder: string, names = NAMES): Promise<void> {
  const { designs } = await findDesigns(root, outputFolder)
  await assertOwnPlaces({ root, designs, templates: ['t', 'u'], outputFolder, names, extension: 'jpg' })
}

test('two files with the same name are both reported, with a remedy', async () => {
  const cases: readonly (readonly [string, readonly string[], string, RegExp])[] = [
    ['endings', ['logo.jpg', 'logo.png'], NAMES, /logo\.jpg and logo\.png have one: rename one/],
    ['folders', ['sub/x.png', 'sub_x.png'], NAMES, /sub\/x\.png and of sub_x\.png: rename one/],
    ['capitals', ['a.png', 'A.png'], NAMES, /A\.png and of a\.png: rename one/],
    ['pattern', ['a.png', 'b.png'], '{template}.{ext}', /a\.png and of b\.png: put \{design\} into/],
    ['one', ['a.png'], '{design}.{ext}', /a\.png in several templates: put \{template\} into/],
    ['ending', ['a.png'], '{design}/{template}.webp', /\.jpg at the end of the names/],
    ['outside', ['a.png'], '../{design}/{template}.{ext}', /a path below the folder/],
  ]
  for (const [name, files, names, sentence] of cases) {
    const root = await makeFiles(name, ...files)
    await assert.rejects(check(root, path.join(scratch, 'out'), names), sentence, name)
  }
})

test('mockups may be written anywhere but among the designs', async () => {
  const root = await makeFiles('designs', 'a.png', 'sub/b.png')
  await check(root, path.join(root, 'mockups'))
  await check(root, scratch)
  await makeFiles('designs/mockups', JOURNAL_NAME, 'a/t.jpg')
  await makeFiles('designs/new-out', 'a/t.jpg')
  const { designs } = await findDesigns(root, path.join(root, 'new-out'))
  assert.deepEqual(
    designs.map(({ file }) => file),
    ['a.png', path.join('sub', 'b.png')],
  )
  await assert.rejects(check(root, root), /outside of the designs/)
  await assert.rejects(check(path.join(root, 'sub'), root, 'sub/{design}-{template}.{ext}'), /outside of the designs/)
  const earlier = await makeFiles('earlier', 'a/t.jpg', JOURNAL_NAME)
  await assert.rejects(check(earlier, scratch), /the mockups of an earlier run/)
  await assert.rejects(check(path.join(scratch, 'nowhere'), scratch), /cannot be read/)
})
