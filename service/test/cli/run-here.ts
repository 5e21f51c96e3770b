import process from 'node:process'
import { CommandOutput } from '../../src/cli/command-output.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import { workHere } from '../templates/inspect-once.ts'
import { lastLine, type Ran } from './run-vitrine.ts'

/** Commands share the process's environment variables, so they run one at a time. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs the command like `runVitrine` but in this process, at a tenth of the cost, for tests that do not
 * depend on a separate process. It reads bundles in this process, too.
 */
export function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd = process.cwd(),
): Promise<Ran> {
  const ran = last.then(() => run(args, environment, cwd))
  last = ran.catch(() => undefined)
  return ran
}

async function run(args: readonly string[], environment: Readonly<Record<string, string>>, cwd: string): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const collect = (name: 'stdout' | 'stderr') => ({ write: (text: string) => void (written[name] += text) })
  const output = new CommandOutput(args.includes('--json'), { stdout: collect('stdout'), stderr: collect('stderr') })
  const before = process.env
  const folder = process.cwd()
  process.chdir(cwd)
  process.env = { PATH: before['PATH'] ?? '', ...environment }
  try {
    await runCommand(args, output, { bundleWork: workHere })
    return { code: Number(process.exitCode ?? 0), ...written, json: lastLine(written.stdout) }
  } finally {
    process.chdir(folder)
    process.env = before
    process.exitCode = undefined
  }
}
