import { Command, CommanderError } from 'commander'
import { describeVersion } from '../observability/service-version.ts'
import { accountCommands } from './account-commands.ts'
import { auditCommand } from './audit-command.ts'
import { backupCommand } from './backup-command.ts'
import { batchCommand } from './batch-command.ts'
import { CommandOutput } from './command-output.ts'
import { creditsCommands } from './credits-commands.ts'
import { explainError } from './explain-error.ts'
import { keyCommands } from './key-commands.ts'
import { ledgerCommands } from './ledger-commands.ts'
import { mcpCommand } from './mcp-command.ts'
import { migrateDataCommand } from './migrate-data-command.ts'
import { publishableKeyCommands } from './publishable-key-commands.ts'
import { renderCommand } from './render-command.ts'
import { serveCommand } from './serve-command.ts'
import { settingsCommand } from './settings-command.ts'
import { templateCommands } from './template-commands.ts'

/** The `vitrine` command with all that belong to it. Nothing is printed for a mistyped one: it is thrown. */
export function buildProgram(output: CommandOutput): Command {
  const program = new Command('vitrine')
    .description('Places artwork into designed scenes and answers with the finished mockup.')
    .option('-V, --version', 'print the version and the commit that it was made of')
    .on('option:version', () => {
      console.log(describeVersion())
      throw new CommanderError(0, 'commander.version', '')
    })
    .option('--json', 'print one JSON object as the last line')
    .exitOverride()
    .configureOutput({ outputError: () => undefined }) // runCommand prints the sentence
  for (const add of [
    serveCommand,
    accountCommands,
    creditsCommands,
    keyCommands,
    publishableKeyCommands,
    templateCommands,
    renderCommand,
    batchCommand,
    mcpCommand,
    ledgerCommands,
    auditCommand,
    backupCommand,
    migrateDataCommand,
    settingsCommand,
  ]) {
    add(program, output)
  }
  inheritSettings(program)
  return program
}

/** Runs a command: exit code 0 on success, else 1 with one sentence on the error stream. */
export async function runCommand(
  args: readonly string[],
  output: CommandOutput = new CommandOutput(args.includes('--json')),
): Promise<void> {
  try {
    await buildProgram(output).parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return // help or version was shown
    process.exitCode = 1
    if (error instanceof CommanderError && error.code === 'commander.help') return
    const sentence = error instanceof CommanderError ? explainUsage(error) : explainError(error)
    if (sentence === null) throw error
    output.fail(sentence)
  }
}

/** Commander's message about a mistyped command, as one sentence. */
function explainUsage({ message }: CommanderError): string {
  const invalid =
    /^error: option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (?:Expected|Allowed choices are) (.*?)\.?$/su
  const [, option, received, expected] = invalid.exec(message) ?? []
  if (option !== undefined) return `Expected ${expected} for ${option} but received ${JSON.stringify(received)}.`
  const words = message
    .replace(/^error: /, '')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replace(/\.$/, '')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: "vitrine --help" lists the commands.`
}

/** Commands copy the settings of their parent when they are made, before the program has set its own. */
function inheritSettings(command: Command): void {
  for (const each of command.commands) {
    each.copyInheritedSettings(command)
    each.option('--json', 'print one JSON object as the last line')
    inheritSettings(each)
  }
}
