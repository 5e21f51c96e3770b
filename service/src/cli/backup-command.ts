import { counted } from '@vitrine/engine/counted'
import type { Command } from 'commander'
import { backUp } from '../backup/back-up.ts'
import { openObjectStorage } from '../storage/open-object-storage.ts'
import type { CommandOutput } from './command-output.ts'
import { OperatorData } from './operator-data.ts'

export function backupCommand(program: Command, output: CommandOutput): void {
  program
    .command('backup')
    .description('copy database and objects, while the service runs, into a new folder that can be used as DATA_DIR')
    .argument('<folder>', 'a folder that is not there yet')
    .action(async (folder: string) => {
      await using data = await OperatorData.open()
      const backup = await backUp(data.settings, openObjectStorage(data.settings), folder)
      const megabytes = (backup.sizeBytes / 1024 / 1024).toFixed(1)
      output.finish(
        [`Backed up the database and ${counted(backup.objectCount, 'object')} (${megabytes} MB) to ${backup.folder}.`],
        {
          path: backup.folder,
          objects: backup.objectCount,
          size_bytes: backup.sizeBytes,
          database_sha256: backup.databaseDigest,
        },
      )
    })
}
