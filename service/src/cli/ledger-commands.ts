import type { Command } from 'commander'
import type { CommandOutput } from './command-output.ts'
import { OperatorData } from './operator-data.ts'

export function ledgerCommands(program: Command, output: CommandOutput): void {
  const ledger = program.command('ledger').description('check the books')

  ledger
    .command('verify')
    .description('recompute every balance from the entries; exit code 1 where something does not agree')
    .action(async () => {
      await using data = await OperatorData.open()
      const report = await data.wallet.verifyLedger()
      const { accounts, entries, violations } = report
      const found = violations.map(
        ({ subject, what, expected, received }) => `${subject}: ${what}: expected ${expected} but found ${received}`,
      )
      const sum = violations.length === 0 ? 'everything agrees' : `${violations.length} things do not agree`
      output.finish([...found, `Checked ${accounts} accounts and ${entries} entries: ${sum}.`], {
        accounts,
        violations: violations.length,
        entries,
        open_reservations: report.openReservations,
        spendable_credits: report.spendableCredits,
        findings: found,
      })
      if (violations.length > 0) process.exitCode = 1
    })
}
