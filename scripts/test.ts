/**
 * `npm test`: the project's checks, a build of the pages, then all tests on the real servers that they need.
 *
 *   node scripts/test.ts                  checks and tests
 *   node scripts/test.ts --checks-only    format, lint, types, dead code, words, dependency directions
 *   node scripts/test.ts FILE…            these test files alone (globs work), without the checks
 *
 * The checks run beside the tests, at a lower priority; their results come before the totals of the tests.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { availableParallelism, setPriority } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run as runTestFiles } from 'node:test'
import { styleText } from 'node:util'
import { isBuilt } from './is-built.ts'
import { reportRun } from './slowest-files-reporter.ts'
import { PROCESS_MAX_MS, planTestRun, slowFirst } from './test-order.ts'

const root = path.resolve(import.meta.dirname, '..')
const isFullSize = process.env['VITRINE_TEST_SIZE'] === 'full'
const binaries = path.join(root, 'node_modules/.bin')
const packages = ['contract', 'client', 'engine', 'psd', 'photo', 'live', 'service', 'dashboard', 'embed']

/** Those whose sources go into what `npm run prepare` builds. */
const builtPackages = packages.filter(name => name !== 'service')

const checks: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['formatting', 'biome', 'check', '--linter-enabled=false', '.'],
  // With the compiler's diagnostics of each file, by the nearest tsconfig.json: a sixth of the time of tsc.
  ['lint and types', 'oxlint', '--type-aware', '--type-check', '--deny-warnings', '.'],
  ...(isFullSize
    ? ['.', 'client', 'dashboard', 'embed'].map(folder => [`types by tsc, ${folder}`, 'tsc', '-p', folder] as const)
    : []),
  ['dead code', 'knip', '--no-progress'],
  ['words and comments', 'node', 'scripts/lint/check-texts.ts'],
  ['directions', 'depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...packages],
]

const testFiles = ['scripts', ...packages].map(name => `${name}/**/*.test.ts`)

/** Unix niceness of checks beside tests: they use what the tests leave idle. */
const CHECK_NICENESS = 10

/** One more than cores: files wait for servers and deadlines, too. Two more take 8 % longer. */
const testConcurrency = availableParallelism() + 1

type CheckResults = { readonly failed: number; readonly text: string }

/** Runs a program to its end. Resolves with its exit code and, from a pipe, with what it printed. */
function run(
  command: string,
  args: readonly string[],
  { output, niceness = 0 }: { output: 'inherit' | 'pipe'; niceness?: number },
): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', output, output] })
    if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.once('error', reject)
    child.once('close', code => resolve({ code: code ?? 1, text }))
  })
}

/** Runs every check, so that one run names every fault. */
async function runChecks({ concurrency, niceness }: { concurrency: number; niceness: number }): Promise<CheckResults> {
  let failed = 0
  const lines: string[] = []
  const waiting = [...checks]
  const runWaiting = async (): Promise<void> => {
    const next = waiting.shift()
    if (next === undefined) return
    const [name, command, ...args] = next
    const startedMs = performance.now()
    const { code, text } = await run(path.join(binaries, command), args, { output: 'pipe', niceness })
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    lines.push(`${code === 0 ? styleText('green', 'ok  ') : styleText('red', 'FAIL')} ${name} (${seconds} s)\n`)
    if (code !== 0) {
      failed++
      lines.push(`${text}\n`)
    }
    return runWaiting()
  }
  await Promise.all(Array.from({ length: concurrency }, runWaiting))
  return { failed, text: lines.join('') }
}

/** Runs test files, and checks beside them. Resolves with whether every test passed. */
async function runTests(files: readonly string[], checked: Promise<CheckResults> | null): Promise<boolean> {
  let isSuccess = true
  const events = runTestFiles({
    cwd: root,
    files: [...files],
    concurrency: testConcurrency,
    timeout: PROCESS_MAX_MS,
    execArgv: [`--import=${path.join(import.meta.dirname, 'end-hanging-test-file.ts')}`],
    ...(checked === null ? {} : { globalSetupPath: path.join(root, 'service/test/servers/global-setup.ts') }),
  })
  events.on('test:summary', ({ success }) => {
    if (!success) isSuccess = false
  })
  const results = checked?.then(({ text }) => text)
  await pipeline(reportRun(events, results), process.stdout, { end: false })
  return isSuccess
}

async function main(args: readonly string[]): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < 26) {
    console.error(`Expected Node 26 or later for the tests but received ${process.version}: "npm test" brings its own.`)
    return 1
  }
  // Programs of the tests load the same modules hundreds of times: each is compiled once.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(root, 'node_modules/.cache/compiled')
  enableCompileCache(process.env['NODE_COMPILE_CACHE'])
  // A file is linted by the checker that has checked its types: a tenth less of processor time.
  process.env['OXLINT_TSGOLINT_CHECKER_SCHEDULING'] ??= 'affinity'
  process.env['PATH'] = `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}`
  const wanted = args.filter(argument => !argument.startsWith('--'))
  if (args.includes('--checks-only')) {
    const { failed, text } = await runChecks({ concurrency: availableParallelism(), niceness: 0 })
    process.stdout.write(text)
    return failed === 0 ? 0 : 1
  }
  // The browser tests see these sources, not an older build of them; `npm ci` has just built them.
  if (!isBuilt(root, builtPackages)) {
    const build = await run('npm', ['run', '--silent', 'prepare'], { output: 'inherit' })
    if (build.code !== 0) return build.code
  }
  const files = globSync(wanted.length > 0 ? wanted : testFiles, { cwd: root, exclude: ['**/node_modules/**'] })
  if (files.length === 0) {
    console.error(`Expected test files but found none that match ${wanted.join(' ')}.`)
    return 1
  }
  if (wanted.length > 0) return (await runTests(files, null)) ? 0 : 1
  const checked = runChecks({ concurrency: 1, niceness: CHECK_NICENESS })
  // The long versions of several files in one process would exceed the timeout of a file.
  const planned = isFullSize ? slowFirst(files) : planTestRun(root, files)
  const isSuccess = await runTests(planned, checked)
  return isSuccess && (await checked).failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
