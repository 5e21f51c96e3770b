import { counted } from '@vitrine/engine/counted'
import type { Command } from 'commander'
import { archiveLedger } from '../credits/archive-ledger.ts'
import { defaultBefore, latestBefore, parseMonth, writeMonth } from '../credits/closed-months.ts'
import { verifyArchives } from '../credits/verify-archives.ts'
import { OperatorError } from '../errors/operator-error.ts'
import type { CommandOutput } from './command-output.ts'
import { OperatorData } from './operator-data.ts'

export function ledgerCommands(program: Command, output: CommandOutput): void {
  const ledger = program.command('ledger').description('check the books, and archive closed months')

  ledger
    .command('verify')
    .description('recompute every balance from the entries; exit code 1 where something does not agree')
    .option('--archives', 'read the files of the archive too, and compare their digests and sums')
    .action(async ({ archives = false }: { archives?: boolean }) => {
      await using data = await OperatorData.open()
      const report = await data.wallet.verifyLedger()
      const { accounts, entries, archivedEntries } = report
      const violations = [
        ...report.violations,
        ...(archives ? await verifyArchives(data.database.queries, data.storage) : []),
      ]
      const found = violations.map(
        ({ subject, what, expected, received }) => `${subject}: ${what}: expected ${expected} but found ${received}`,
      )
      const sum = violations.length === 0 ? 'everything agrees' : counted(violations.length, 'error')
      const archived =
        archivedEntries === 0 ? '' : `, ${archivedEntries} archived ones by their ${archives ? 'files' : 'balances'}`
      output.finish(
        [
          ...found,
          `Checked ${counted(accounts, 'account')} and ${counted(entries, 'entry', 'entries')}${archived}: ${sum}.`,
        ],
        {
          accounts,
          violations: violations.length,
          entries,
          archived_entries: archivedEntries,
          open_reservations: report.openReservations,
          spendable_credits: report.spendableCredits,
          findings: found,
        },
      )
      if (violations.length > 0) process.exitCode = 1
    })

  ledger
    .command('archive')
    .description('move entries of closed months to the object storage, and seal the balance that they leave')
    .option('--before <month>', 'YYYY-MM in UTC: this month and later ones stay (default: the last 13 months stay)')
    .action(async ({ before }: { before?: string }) => {
      const nowMs = Date.now()
      const beforeMs = before === undefined ? defaultBefore(nowMs) : parseBefore(before, nowMs)
      await using data = await OperatorData.open()
      const { accounts, parts, entries } = await archiveLedger(data.database, data.storage, { beforeMs, nowMs })
      const month = writeMonth(beforeMs)
      output.finish(
        [
          entries === 0
            ? `No entries from before ${month} are left to archive.`
            : `Archived ${counted(entries, 'entry', 'entries')} of ${counted(accounts, 'account')} from before ${month} in ${counted(parts, 'file')}.`,
        ],
        { before: month, accounts, files: parts, entries },
      )
    })
}

/** @throws OperatorError */
function parseBefore(text: string, nowMs: number): number {
  const latestMs = latestBefore(nowMs)
  const beforeMs = parseMonth(text)
  if (beforeMs !== null && beforeMs <= latestMs) return beforeMs
  throw new OperatorError(
    `Expected a month such as 2026-01, ${writeMonth(latestMs)} at the latest, for --before but received ${text}.`,
  )
}
