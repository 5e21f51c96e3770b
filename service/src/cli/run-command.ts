import { Command, CommanderError } from 'commander'
import { describeVersion } from '../observability/service-version.ts'
import type { BundleWork } from '../templates/template-store.ts'
import { CommandOutput } from './command-output.ts'

/** What most tests do without: processes of their own for bundles that are not the subject. */
type OptionsForTests = { readonly bundleWork?: BundleWork }

type AddCommands = (program: Command, output: CommandOutput, forTests: OptionsForTests) => void

/** All commands by name. Each loads only the modules that it needs. */
const commands: Readonly<Record<string, () => Promise<AddCommands>>> = {
  serve: async () => (await import('./serve-command.ts')).serveCommand,
  account: async () => (await import('./account-commands.ts')).accountCommands,
  credits: async () => (await import('./credits-commands.ts')).creditsCommands,
  key: async () => (await import('./key-commands.ts')).keyCommands,
  'publishable-key': async () => (await import('./publishable-key-commands.ts')).publishableKeyCommands,
  template: async () => (await import('./template-commands.ts')).templateCommands,
  render: async () => (await import('./render-command.ts')).renderCommand,
  batch: async () => (await import('./batch-command.ts')).batchCommand,
  mcp: async () => (await import('./mcp-command.ts')).mcpCommand,
  ledger: async () => (await import('./ledger-commands.ts')).ledgerCommands,
  audit: async () => (await import('./audit-command.ts')).auditCommand,
  backup: async () => (await import('./backup-command.ts')).backupCommand,
  'migrate-data': async () => (await import('./migrate-data-command.ts')).migrateDataCommand,
  settings: async () => (await import('./settings-command.ts')).settingsCommand,
}

/**
 * The `vitrine` command with the subcommand that `args` name, or with all in its group. A mistyped command
 * throws, without printing.
 */
export async function buildProgram(
  output: CommandOutput,
  args: readonly string[] = [],
  forTests: OptionsForTests = {},
): Promise<Command> {
  const program = new Command('vitrine')
    .description('Places artwork into designed scenes and answers with the finished mockup.')
    .option('-V, --version', 'print the version and the commit that it was built from')
    .on('option:version', () => {
      console.log(describeVersion())
      throw new CommanderError(0, 'commander.version', '')
    })
    .option('--json', 'print one JSON object as the last line')
    .exitOverride()
    .configureOutput({ outputError: () => undefined }) // runCommand prints the sentence
  const named = args.find(argument => !argument.startsWith('-')) ?? ''
  const isVersion = named === '' && ['-V', '--version'].includes(args[0] ?? '')
  for (const [name, load] of Object.entries(commands))
    if (Object.hasOwn(commands, named) ? name === named : !isVersion) (await load())(program, output, forTests)
  inheritSettings(program)
  return program
}

/** Runs a command: exit code 0 on success, else 1 with one sentence on the error stream. */
export async function runCommand(
  args: readonly string[],
  output: CommandOutput = new CommandOutput(args.includes('--json')),
  forTests: OptionsForTests = {},
): Promise<void> {
  try {
    await (await buildProgram(output, args, forTests)).parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return // help or version was shown
    process.exitCode = 1
    if (error instanceof CommanderError && error.code === 'commander.help') return
    const { explainError } = await import('./explain-error.ts')
    const sentence = error instanceof CommanderError ? explainUsage(error) : explainError(error)
    if (sentence === null) throw error
    output.fail(sentence)
  }
}

/** Turns Commander's message about a mistyped command into one sentence. */
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

/** Commands copy the settings of their parent on creation, before the program has set its own. */
function inheritSettings(command: Command): void {
  for (const each of command.commands) {
    each.copyInheritedSettings(command)
    each.option('--json', 'print one JSON object as the last line')
    inheritSettings(each)
  }
}
