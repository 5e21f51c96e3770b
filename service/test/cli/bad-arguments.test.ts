import assert from 'node:assert/strict'
import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Command } from 'commander'
import { CommandOutput, type JsonValue } from '../../src/cli/command-output.ts'
import { buildProgram, runCommand } from '../../src/cli/run-command.ts'
import { oddAddresses } from '../dashboard/odd-addresses.ts'
import { plainPicture } from '../mockups/test-bundle.ts'
import { makeData, SMALL_TEMPLATE_ID } from './make-data.ts'
import { runVitrine } from './run-vitrine.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-arguments-'))
const home = process.cwd()
after(async () => {
  process.chdir(home)
  service.close()
  await rm(folder, { recursive: true, force: true })
})
const { dataDir, key } = await makeData(folder)
const place = (name: string): string => path.join(folder, name)
await writeFile(place('empty'), '')
await writeFile(place('some.psd'), 'no PSD')
await writeFile(place('text.zip'), 'no zip')
await writeFile(place('text.jpg'), 'no picture')
await writeFile(place('settings'), `DATA_DIR=${place('other')}\n`)
await mkdir(place('designs'))
await writeFile(place('designs/one.jpg'), 'no picture')
await mkdir(place('work'))
await writeFile(place('work/a-file'), '')
// A service that knows no key, so that the client does not retry.
const service = createServer((_, response) => response.writeHead(401).end())
await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
const address = service.address()
assert.ok(address !== null && typeof address === 'object')
const serviceUrl = `http://127.0.0.1:${address.port}`
process.chdir(place('work'))
process.env['DATA_DIR'] = dataDir
process.env['VITRINE_URL'] = serviceUrl
process.env['VITRINE_API_KEY'] = key

/** Records what a command would print. */
class NotedOutput extends CommandOutput {
  failure: string | null = null
  constructor() {
    super(false)
  }
  override finish(_: readonly string[], __: Readonly<Record<string, JsonValue>>): void {
    // Success messages are not relevant here.
  }
  override fail(message: string): void {
    assert.equal(this.failure, null, 'one sentence')
    this.failure = message
  }
}

const binary = String.fromCodePoint(1, 27, 0xfffd)

/** Ordinary runs try each value with an eighth of the options and arguments. */
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

const badPaths = [
  '',
  ' ',
  'a\nb',
  'x'.repeat(5000),
  '/proc/nope',
  '/proc/self/mem',
  '/proc',
  ...['empty', 'text.zip', 'text.jpg', 'work', 'empty/x', 'some.psd', 'none.psd'].map(place),
]
const badValues = [
  ...badPaths,
  binary,
  '9'.repeat(25),
  '{"0": 1}',
  ...'-1 0 1.5 1e9 NaN １ x ü 🙂 %zz .. ~ { [] null " a=b = , file:///etc/passwd http://. x@localhost <>'.split(' '),
]

/** Valid values of a command's other options and arguments, so that the tested one is its only error. */
const goodValues: Readonly<Record<string, string>> = {
  email: 'shop@example.com',
  name: 'Test',
  credits: '5',
  reason: 'test',
  origin: 'https://shop.example',
  templates: SMALL_TEMPLATE_ID,
  template: SMALL_TEMPLATE_ID,
  'template-id': 'none',
  'key-id': 'key_none',
  version: '1',
  out: 'made',
  output: 'made.jpg',
  to: place('settings'),
  folder: 'backup',
  files: place('settings'),
  designs: place('designs'),
  artwork: place('text.jpg'),
  path: place('none.psd'),
  photo: place('none.jpg'),
  drawing: place('empty'),
}

const good = (name: string): string => {
  const value = goodValues[name]
  assert.ok(value !== undefined, `no good value for ${name}: add one here`)
  return value
}

type Tried = { readonly what: string; readonly argsWith: (value: string) => readonly string[] }

/** Every option and argument of a command and of its subcommands. */
function* everyValue(command: Command, above: readonly string[]): Generator<Tried> {
  for (const each of command.commands) yield* everyValue(each, [...above, each.name()])
  if (command.commands.length > 0) return
  // Small pictures are faster to make.
  const given = (without: string | undefined) =>
    command.options
      .filter(({ mandatory, long }) => long !== without && (mandatory || long === '--width'))
      .map(({ long }) => `${long}=${long === '--width' ? 64 : good(`${long}`.slice(2))}`)
  const places = command.registeredArguments.map(argument => argument.name())
  const title = above.join(' ')
  for (const { long, required: takesValue } of command.options)
    if (takesValue && long)
      yield {
        what: `${title} ${long}`,
        argsWith: value => [...above, ...given(long), `${long}=${value}`, '--', ...places.map(good)],
      }
  for (const tried of places)
    yield {
      what: `${title} <${tried}>`,
      argsWith: value => [
        ...above,
        ...given(undefined),
        '--',
        ...places.map(name => (name === tried ? value : good(name))),
      ],
    }
}

/** These commands run until they are stopped, so they are tested in separate processes below. */
const runsOn = /^(?:serve|mcp)\b/

async function assertExplained(what: string, args: readonly string[]): Promise<NotedOutput> {
  const output = new NotedOutput()
  try {
    await runCommand(args, output)
  } catch (error) {
    assert.fail(`${what}, ${JSON.stringify(args)}: ${error instanceof Error ? error.stack : String(error)}`)
  } finally {
    process.exitCode = 0
  }
  if (output.failure !== null) {
    assert.match(output.failure, /^[^\n]+[.!?:](?:\n {2}[^\n]+)*$/, JSON.stringify(args))
    assert.doesNotMatch(output.failure, /\n\s+at |Error:/, JSON.stringify(args))
  }
  return output
}

for (const [nth, { what, argsWith }] of [...everyValue(await buildProgram(new NotedOutput()), [])].entries())
  if (!runsOn.test(what))
    test(`${what}: bad values end in a sentence`, async () => {
      // Each bundle is inspected by a separate process.
      const values = /^template [\w-]+ </.test(what) ? badPaths : badValues
      for (const [index, value] of values.entries())
        if (isFull || (index + nth) % 8 === 0) await assertExplained(what, argsWith(value))
    })

test('names of frames that a Photoshop file lacks end in a sentence', async () => {
  for (const value of isFull ? ['', 'a\nb', binary, 'x'.repeat(5000)] : ['', binary])
    await assertExplained('--frame', ['template', 'import', place('some.psd'), `--frame=${value}`, '--out=made'])
})

test('unknown commands, and missing or extra arguments, are reported in a sentence', async () => {
  for (const line of [
    'nothing',
    'account nothing',
    'account create',
    'account list x',
    '--x',
    'key revoke',
    'render x',
    'serve x',
  ])
    assert.notEqual((await assertExplained(line, line.split(' '))).failure, null, line)
})

test('no account is created with an invalid e-mail address, and the sentence shows a valid one', async () => {
  for (const email of oddAddresses) {
    const { failure } = await assertExplained(email, ['account', 'create', '--email', email])
    assert.equal(
      failure,
      `Expected an e-mail address such as shop@example.com for --email but received ${JSON.stringify(email)}.`,
    )
    const link = await assertExplained(email, ['account', 'sign-in-link', '--email', email])
    assert.match(link.failure ?? '', /^There is no account with the e-mail address /)
  }
})

test('the real command reports the same, exits with code 1, and creates no data', async () => {
  const elsewhere = place('elsewhere')
  const more = [
    [['serve', '--port=1'], /^vitrine: [^\n]+\n$/],
    [['mcp', `--root=${place('empty')}`], /^vitrine: [^\n]+\n$/],
    [['mcp', '--url=x'], /^vitrine: [^\n]+\n$/],
  ] as const
  for (const [args, sentence] of [
    [['account', 'create', '--email', 'x@localhost'], /^vitrine: Expected an e-mail address [^\n]+ "x@localhost"\.\n$/],
    [['serve', 'x'], /^vitrine: [^\n]+\n$/],
    [['mcp', '--root=/proc/nope'], /^vitrine: The folder \/proc\/nope cannot be opened\.\n$/],
    [['mcp', '--url=http://.'], /^vitrine: Expected an http[^\n]+ for --url but received "http:\/\/\."\.\n$/],
    ...(isFull ? more : []),
  ] as const) {
    const { code, stdout, stderr } = await runVitrine(args, { DATA_DIR: elsewhere, VITRINE_API_KEY: key })
    const said = args[0] === 'serve' ? 'Vitrine is starting …\n' : ''
    assert.deepEqual([code, stdout], [1, said], `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, sentence)
  }
  await assert.rejects(mkdir(path.join(elsewhere, 'x')), { code: 'ENOENT' })
})

test('render replaces a link and not its target, and refuses anything but a file', async () => {
  await writeFile(place('red.png'), await plainPicture(8, 8, [255, 0, 0]))
  await writeFile(place('linked'), 'untouched')
  await symlink(place('linked'), place('link.jpg'))
  await symlink('/dev/null', place('device.jpg'))
  const render = (to: string) =>
    assertExplained(to, ['render', SMALL_TEMPLATE_ID, place('red.png'), '-o', place(to), '--width', '64'])
  assert.equal((await render('link.jpg')).failure, null)
  assert.equal(await readFile(place('linked'), 'utf8'), 'untouched')
  assert.ok((await lstat(place('link.jpg'))).isFile())
  for (const refused of ['device.jpg', 'designs'])
    assert.match((await render(refused)).failure ?? '', /^The mockup cannot be written to .+: it is not a file\.$/)
})
