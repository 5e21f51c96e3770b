import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')
const list = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-z', '--', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
const documents = list('*.md').filter(file => existsSync(path.join(root, file)))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** The ids that GitHub gives to the headings of a document. */
function headingIds(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
  const ids = headings.map(heading =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  return new Set(ids)
}

test('every link of a document leads to a file that there is, and to a heading in it', () => {
  for (const document of documents)
    for (const [, link = ''] of read(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue
      const [target = '', heading] = link.split('#')
      const file = target === '' ? document : path.join(path.dirname(document), target)
      assert.ok(existsSync(path.join(root, file)), `${document} links to ${link}`)
      if (heading !== undefined) assert.ok(headingIds(read(file)).has(heading), `${document} links to ${link}`)
    }
})

test('every path of the repository that a document names in code exists', () => {
  const folders =
    'client|contract|dashboard|deploy|docs|embed|engine|examples|live|photo|psd|scenes|scripts|service|templates'
  const pattern = new RegExp(`(?<![\\w./-])(?:${folders})/[\\w./*-]*\\w`, 'g')
  for (const document of documents)
    for (const [, code = ''] of read(document).matchAll(/`([^`\n]+)`/g))
      for (const [name] of code.matchAll(pattern)) {
        if (name.includes('*') || name.startsWith('dashboard/stripe')) continue
        assert.ok(existsSync(path.join(root, name)), `${document} names ${name}`)
      }
})

test('the titles of tests cite headings that their page has', () => {
  for (const file of list('*.test.ts').filter(file => existsSync(path.join(root, file))))
    for (const [, page = '', cited = ''] of read(file).matchAll(/\b([\w-]+\.md), ("[^"\n]+"(?: and "[^"\n]+")*)/g)) {
      const text = documents
        .filter(document => path.basename(document) === page)
        .map(read)
        .join('\n')
      const headings = text.split('\n').map(line => line.replace(/^#+ /, ''))
      for (const [, heading = ''] of cited.matchAll(/"([^"]+)"/g))
        assert.ok(headings.includes(heading), `${file} cites "${heading}" of ${page}`)
    }
})

test('tests and documents cite only pages of this repository', () => {
  const names = new Set(list('*.md').map(file => path.basename(file)))
  const texts = [...documents, ...list('*.test.ts', '*/test/*.ts', '*/src/*.ts')].filter(
    file => !file.startsWith('scripts/'),
  )
  for (const file of texts.filter(file => existsSync(path.join(root, file))))
    for (const [, name = ''] of read(file).matchAll(/(?<![\w*.<{}$])([a-z][a-z-]*\.md)\b/g))
      assert.ok(names.has(name), `${file} cites ${name}`)
})

test('a decision has at most 600 words', () => {
  for (const document of documents.filter(file => file.startsWith('docs/decisions/'))) {
    const words = read(document).split(/\s+/).filter(Boolean).length
    assert.ok(words <= 600, `${document} has ${words}`)
  }
})

test('every line of what is understood of Photoshop files names tests that there are', () => {
  const [, table = ''] = read('docs/photoshop.md').split('| proven by |\n|---|---|---|\n')
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n')
  assert.ok(rows.length > 20, `${rows.length} lines`)
  for (const row of rows) {
    const proof = row.split('|').at(-2) ?? ''
    const named = [...proof.matchAll(/`([^`]+)`((?:(?:: |, )"[^"]+")*)/g)]
    assert.ok(named.length > 0, `no test is named in: ${row}`)
    for (const [, name = '', titles = ''] of named) {
      const file = name.includes('/') ? name : `psd/test/${name}.test.ts`
      assert.ok(file.endsWith('.test.ts') && existsSync(path.join(root, file)), `${file} is no test`)
      const found = [...read(file).matchAll(/\b(?:test|describe)\((['"`])(.*?)\1/g)].map(([, , title = '']) => title)
      for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g))
        assert.ok(
          found.some(each => each.startsWith(title)),
          `${file} has no test "${title}"`,
        )
    }
  }
})
