/**
 * `npm test`: the project's checks, a build of the pages, then all tests on the real servers that they need.
 *
 *   node scripts/test.ts                  checks and tests
 *   node scripts/test.ts --checks-only    format, lint, types, dead code, words, dependency directions
 *   node scripts/test.ts FILE…            these test files alone (globs work), without the checks
 *
 * The test runner comes last, so that its totals end the output.
 */
import { spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { styleText } from 'node:util'

const root = path.resolve(import.meta.dirname, '..')
const binaries = path.join(root, 'node_modules/.bin')
const packages = ['contract', 'client', 'engine', 'psd', 'photo', 'live', 'service', 'dashboard', 'embed']

const checks: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['formatting', 'biome', 'check', '--linter-enabled=false', '.'],
  // With the compiler's diagnostics of each file, by the nearest tsconfig.json: a sixth of the time of tsc.
  ['lint and types', 'oxlint', '--type-aware', '--type-check', '--deny-warnings', '.'],
  ...(process.env['VITRINE_TEST_SIZE'] === 'full'
    ? ['.', 'client', 'dashboard', 'embed'].map(folder => [`types by tsc, ${folder}`, 'tsc', '-p', folder] as const)
    : []),
  ['dead code', 'knip', '--no-progress'],
  ['words and comments', 'node', 'scripts/lint/check-texts.ts'],
  ['directions', 'depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...packages],
]

const testFiles = ['scripts', ...packages].map(name => `${name}/**/*.test.ts`)

/** Runs a program to its end. Resolves with its exit code and, from a pipe, with what it printed. */
function run(
  command: string,
  args: readonly string[],
  output: 'inherit' | 'pipe',
): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', output, output],
      env: {
        // Programs of the tests load the same modules hundreds of times: each is compiled once.
        NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
        ...process.env,
        PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}`,
      },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.once('error', reject)
    child.once('close', code => resolve({ code: code ?? 1, text }))
  })
}

/** Runs every check, so that one run names every fault. Returns how many failed. */
async function runChecks(): Promise<number> {
  let failed = 0
  const waiting = [...checks]
  const runWaiting = async (): Promise<void> => {
    const next = waiting.shift()
    if (next === undefined) return
    const [name, command, ...args] = next
    const startedMs = performance.now()
    const { code, text } = await run(path.join(binaries, command), args, 'pipe')
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    console.log(`${code === 0 ? styleText('green', 'ok  ') : styleText('red', 'FAIL')} ${name} (${seconds} s)`)
    if (code !== 0) {
      failed++
      console.log(text)
    }
    return runWaiting()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
  return failed
}

/** What `npm run prepare` builds, and the packages whose sources go into it. */
const builtFiles = ['dashboard/dist/index.html', 'embed/dist/vitrine-mockup.js', 'client/dist/vitrine.js']
const builtPackages = packages.filter(name => name !== 'service')

/** Whether all of it was built after the last change of a source or a dependency. */
function isBuilt(): boolean {
  const changedMs = (file: string): number => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  // Of folders too: a file may have been removed.
  const sources = builtPackages.flatMap(name =>
    globSync(`${name}/**`, { cwd: root, exclude: entry => /(^|\/)(node_modules|dist)$/.test(entry) }),
  )
  return Math.min(...builtFiles.map(changedMs)) > Math.max(...[...sources, 'package-lock.json'].map(changedMs))
}

async function main(args: readonly string[]): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < 26) {
    console.error(`Expected Node 26 or later for the tests but received ${process.version}: "npm test" brings its own.`)
    return 1
  }
  const files = args.filter(argument => !argument.startsWith('--'))
  if (files.length === 0 && (await runChecks()) > 0) return 1
  if (args.includes('--checks-only')) return 0
  // The browser tests see these sources, not an older build of them; `npm ci` has just built them.
  if (!isBuilt()) {
    const build = await run('npm', ['run', '--silent', 'prepare'], 'inherit')
    if (build.code !== 0) return build.code
  }
  // Two more than cores: files wait for servers and deadlines, too.
  const concurrency = availableParallelism() + 2
  const options = [
    '--test',
    `--test-concurrency=${concurrency}`,
    '--test-timeout=300000',
    `--import=${path.join(import.meta.dirname, 'end-hanging-test-file.ts')}`,
    `--test-reporter=${path.join(import.meta.dirname, 'slowest-files-reporter.ts')}`,
    ...(files.length > 0 ? [] : [`--test-global-setup=${path.join(root, 'service/test/servers/global-setup.ts')}`]),
  ]
  return (await run(process.execPath, [...options, ...(files.length > 0 ? files : testFiles)], 'inherit')).code
}

process.exitCode = await main(process.argv.slice(2))
