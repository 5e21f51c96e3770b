import { counted } from '@vitrine/engine/counted'
import type { Command } from 'commander'
import { migrateData } from '../data-migration/migrate-data.ts'
import { loadSettingsFile } from '../settings/settings-file.ts'
import type { CommandOutput } from './command-output.ts'
import { OperatorData } from './operator-data.ts'

export function migrateDataCommand(program: Command, output: CommandOutput): void {
  program
    .command('migrate-data')
    .description('copy database and objects of a stopped service to other places, and compare both')
    .requiredOption('--to <file>', 'file with the settings of the target, one NAME=value in a line')
    .action(async ({ to }: { to: string }) => {
      const target = loadSettingsFile(to)
      await using data = await OperatorData.open()
      const { tables, objects, ledger, wasThere } = await migrateData(data.database, data.settings, target)
      const rows = [...tables.values()].reduce((sum, table) => sum + table.rows, 0)
      const megabytes = (objects.sizeBytes / 1024 / 1024).toFixed(1)
      output.finish(
        [
          `${counted(objects.objects, 'object')} (${megabytes} MB): ${objects.copied} copied, the others were there; sizes and SHA-256 agree.`,
          `${counted(rows, 'row')} of ${tables.size} tables: ${wasThere ? 'they were there' : 'copied'}; their digests agree.`,
          `The ledger verifies on both sides: ${counted(ledger.accounts, 'account')}, ${counted(ledger.entries, 'entry', 'entries')}.`,
          `Start Vitrine with the settings of ${to}, and never again with those before: each would sell the same credits.`,
        ],
        {
          objects: objects.objects,
          objects_copied: objects.copied,
          size_bytes: objects.sizeBytes,
          rows,
          tables: Object.fromEntries(tables),
          was_there: wasThere,
          accounts: ledger.accounts,
          entries: ledger.entries,
          violations: ledger.violations.length,
        },
      )
    })
}
