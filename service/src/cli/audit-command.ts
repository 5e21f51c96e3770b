import type { Command } from 'commander'
import { type CommandOutput, formatTable } from './command-output.ts'
import { OperatorData } from './operator-data.ts'
import { parseWhole } from './parse-options.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 10_000

export function auditCommand(program: Command, output: CommandOutput): void {
  const audit = program.command('audit').description('who did what, from where, to whom')

  audit
    .command('list')
    .description('list the events of the last 400 days, newest first')
    .option('--email <address>', 'only what concerns this account')
    .option('--limit <number>', 'how many', parseWhole('a number of events', 1, LIMIT_MAX), LIMIT_DEFAULT)
    .action(async (options: { email?: string; limit: number }) => {
      await using data = await OperatorData.open()
      const accountId = options.email === undefined ? undefined : (await data.accountOf(options.email)).accountId
      const { events, total } = await data.audit.list({ accountId, page: 1, limit: options.limit })
      const rows = events.map(event => ({
        at: new Date(event.atMs).toISOString(),
        action: event.action,
        outcome: event.outcome,
        account_id: event.accountId,
        actor: event.actor,
        actor_id: event.actorId,
        network: event.network,
        target: event.target,
      }))
      const table = rows.map(row => [
        row.at,
        row.action,
        row.outcome,
        row.account_id ?? '',
        row.actor_id ?? row.actor,
        row.network ?? '',
        row.target ?? '',
      ])
      output.finish(formatTable([['AT', 'ACTION', 'OUTCOME', 'ACCOUNT', 'BY', 'FROM', 'TARGET'], ...table]), {
        events: rows,
        total,
      })
    })
}
