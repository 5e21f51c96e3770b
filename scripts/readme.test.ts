/** The samples of README.md, run as they are printed, in a clone that has nothing but what npm ci made. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { inspectArtwork } from '@vitrine/engine'
import { z } from 'zod'
import { TestService } from '../service/test/http/test-service.ts'
import { writeBundle } from '../service/test/mockups/test-bundle.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')
const ADDRESS = 'http://localhost:8080'

const readme = await readFile(path.join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
/** The one sample that has all of these texts. */
function sampleWith(...texts: readonly string[]): string {
  const found = blocks.filter(({ text }) => texts.every(each => text.includes(each)))
  assert.equal(found.length, 1, `${found.length} samples with ${texts.join(', ')}`)
  return found[0]?.text ?? ''
}
/** The command in the text of README.md that has this file. */
const commandFor = (file: string) =>
  new RegExp(`\`([^\`\n]*${file})\``).exec(readme.replace(`\`${file}\``, ''))?.[1] ?? ''

const service = await TestService.start('sqlite')
const clone = await mkdtemp(path.join(os.tmpdir(), 'vitrine-readme-'))
after(async () => {
  await service[Symbol.asyncDispose]()
  await rm(clone, { recursive: true, force: true })
})
for (const name of ['client', 'node_modules', 'package.json', 'python', 'service', 'templates'])
  await symlink(path.join(root, name), path.join(clone, name))
for (const id of ['oak-frame-portrait', 'white-mug-walnut-table'])
  await service.addBundles(await writeBundle(path.join(clone, 'bundles'), id, 1))
// Fewer to render: the batch makes every template.
for (const id of ['one-frame', 'two-frames'])
  await service.running.services.templates.remove({ id, ownerAccountId: null })
const { key } = await service.customer()

/** Runs a sample on the service of the test, at the end of what README.md lets its reader export. */
async function runSample(command: string, apiKey = key): Promise<string> {
  const env = {
    ...process.env,
    PATH: `${path.join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
    VITRINE_URL: service.running.url,
    VITRINE_API_KEY: apiKey,
  }
  const exports = /^export .*\n/gm
  const here = command.replaceAll(exports, '').replaceAll(ADDRESS, service.running.url)
  return (await run('sh', ['-ec', here], { cwd: clone, env })).stdout
}

const mockup = async () => inspectArtwork(await readFile(path.join(clone, 'mockup.jpg')))

test('the first mockup is made with the sample, and an error is no picture', async () => {
  const sample = sampleWith('curl', '-o mockup.jpg')
  assert.ok(sample.includes(`export VITRINE_URL=${ADDRESS}\n`))
  await runSample(sample)
  assert.equal((await mockup()).type, 'jpeg')
  await assert.rejects(runSample(sample, 'vt_wrong'), { code: 22 })
})

test('a batch takes the artwork from an address that there is', async () => {
  await runSample(sampleWith('artwork_url'))
  const results = z.object({ count: z.literal(2), results: z.array(z.object({ size_bytes: z.int() })) })
  results.parse(JSON.parse(await readFile(path.join(clone, 'mockups.json'), 'utf8')))
})

for (const [language, file] of [
  ['ts', 'mockup.ts'],
  ['py', 'mockup.py'],
] as const)
  test(`the program ${file} runs by the command beside it`, async () => {
    const program = blocks.find(block => block.language === language)?.text ?? ''
    await writeFile(path.join(clone, file), program)
    await rm(path.join(clone, 'mockup.jpg'), { force: true })
    const command = commandFor(file)
    assert.notEqual(command, '')
    await runSample(command)
    assert.equal((await mockup()).type, 'jpeg')
  })

test('a folder of samples is rendered by one command', async () => {
  await runSample(sampleWith('npx vitrine batch'))
  const made = (await readdir(path.join(clone, 'mockups'), { recursive: true })).filter(name => name.endsWith('.jpg'))
  const artworks = await readdir(path.join(root, 'templates/artworks'))
  const { total } = await service.running.services.templates.list({ accountId: '', page: 1, limit: 1 })
  assert.equal(made.length, artworks.length * total)
})
