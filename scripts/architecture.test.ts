/** The map of ARCHITECTURE.md beside the tree. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '..')
const page = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(file => existsSync(path.join(root, file)))

/** The folders in the first column of the tables of a text. */
const foldersIn = (text: string): string[] =>
  [...text.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w/-]+)\/`/g)].map(([, folder = '']) => folder),
  )

const [packagesText = '', ...sections] = page.slice(page.indexOf('## Code map')).split(/^### /m)

test('the map names every folder at the top, and no other', () => {
  const folders = tracked.filter(file => /^[^.].*\//.test(file)).map(file => file.slice(0, file.indexOf('/')))
  assert.deepEqual(foldersIn(packagesText).sort(), [...new Set(folders)].sort())
})

test('the map says which package may import which, as the dependency rules do', () => {
  const rules: unknown = JSON.parse(readFileSync(path.join(root, 'scripts/lint/may-import.json'), 'utf8'))
  const rows = packagesText.matchAll(/^\| `(\w+)\/` \|.*\| ([a-z, ]+) \|$/gm)
  const mapped = [...rows].map(([, name = '', others = '']) => [
    name,
    others === 'nothing of ours' ? [] : others.split(', '),
  ])
  assert.deepEqual({ python: [], ...(typeof rules === 'object' ? rules : null) }, Object.fromEntries(mapped))
})

test('the map names every folder of the sources of each package, and no other', () => {
  const mapped = sections.flatMap(section => {
    const [heading = '', ...lines] = section.split('\n')
    const packages = [...heading.matchAll(/`([\w-]+\/src)\/`/g)].map(([, folder]) => folder)
    return packages.length === 0 ? [] : [{ packages, folders: foldersIn(lines.join('\n')) }]
  })
  const expected = new Set(tracked.flatMap(file => /^[\w-]+\/src\/[\w-]+(?=\/.*\.tsx?$)/.exec(file) ?? []))
  const named = mapped.flatMap(({ packages, folders }) =>
    folders.map(folder => packages.map(each => `${each}/${folder}`).find(each => expected.has(each)) ?? folder),
  )
  assert.deepEqual(named.sort(), [...expected].sort())
})

test('of the engine, the process that answers requests loads what bundle.ts exports and the words of counts alone', () => {
  const bundle = new Set([...modulesFrom('engine/src/bundle.ts'), 'engine/src/counted.ts'])
  const loaded = [...modulesFrom('service/src/main.ts')].filter(file => /^(engine|psd|photo)\//.test(file))
  assert.ok(loaded.includes('engine/src/bundle.ts'))
  assert.deepEqual(
    loaded.filter(file => !bundle.has(file)),
    [],
  )
})

test('sandboxed programs load no schemas, which would be a fifth of their start', () => {
  const programs = [
    'mockups/worker/main',
    'templates/bundle-worker',
    'psd-import/psd-worker',
    'photo-import/photo-worker',
    'mcp/preview-worker',
  ]
  for (const program of programs) {
    const loaded = [...modulesFrom(`service/src/${program}.ts`)]
    assert.ok(loaded.includes('engine/src/index.ts') || loaded.includes('engine/src/node/index.ts'), program)
    assert.deepEqual(
      loaded.filter(file => /\bfrom 'zod'/.test(sourceOf(file))),
      [],
      program,
    )
  }
})

const sourceOf = (file: string): string => stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8'))

/** A module and all modules of ours that it loads, now or later. Types load nothing. */
function modulesFrom(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found
  found.add(file)
  const source = sourceOf(file)
  const imports = /^(?:import|export)\b[^;'`]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm
  for (const [, from, plain, later] of source.matchAll(imports)) {
    const name = from ?? plain ?? later ?? ''
    if (!/^\.|^@vitrine\//.test(name)) continue
    const url = name.startsWith('.')
      ? pathToFileURL(path.resolve(root, path.dirname(file), name)).href
      : import.meta.resolve(name)
    const target = path.relative(root, fileURLToPath(url))
    if (target.endsWith('.ts')) modulesFrom(target, found)
  }
  return found
}
