import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { z } from 'zod'
import { CommandOutput } from './command-output.ts'
import { OperatorError } from './operator-error.ts'

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))

/** The `vitrine` command: exit code 0 when it did what was asked, else 1 with one sentence on the error stream. */
async function main(args: readonly string[]): Promise<void> {
  const output = new CommandOutput(args.includes('--json'))
  const program = new Command('vitrine')
    .description('Places artwork into designed scenes and answers with the finished mockup.')
    .version(version)
    .option('--json', 'print one JSON object as the last line')
    .showHelpAfterError('(vitrine --help lists the commands)')
    .exitOverride()
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1
    else if (error instanceof OperatorError) {
      output.fail(error.message)
      process.exitCode = 1
    } else throw error
  }
}

await main(process.argv.slice(2))
