import type { Command } from 'commander'
import { checkSettingsFiles } from '../settings/settings-file.ts'
import type { CommandOutput } from './command-output.ts'

export function settingsCommand(program: Command, output: CommandOutput): void {
  const settings = program.command('settings').description('the settings of a service')

  settings
    .command('check')
    .description('check files of NAME=value, before a service starts with them')
    .argument('<files...>', 'files whose settings belong together; of a name in several the last one counts')
    .action((files: string[]) => {
      const names = checkSettingsFiles(files)
      output.finish([`${names.length} settings, and every one is sound.`], { settings: names })
    })
}
