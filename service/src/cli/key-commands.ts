import type { Command } from 'commander'
import { type CommandOutput, formatTable } from './command-output.ts'
import { OperatorData } from './operator-data.ts'
import { OperatorError } from './operator-error.ts'

export function keyCommands(program: Command, output: CommandOutput): void {
  const key = program.command('key').description('make, list and revoke API keys')

  key
    .command('create')
    .description('make an API key; it is shown this once')
    .requiredOption('--email <address>', 'address of the account')
    .requiredOption('--name <text>', 'label of the key')
    .action(async (options: { email: string; name: string }) => {
      await using data = await OperatorData.open()
      const { accountId, email } = await data.accountOf(options.email)
      const made = await data.keys.create({ accountId, name: options.name })
      const sentences = [`Made the key ${made.keyId} for ${email}. It cannot be shown again:`, '', `  ${made.key}`, '']
      output.finish(sentences, { key_id: made.keyId, key: made.key })
    })

  key
    .command('list')
    .description("list an account's keys, newest first")
    .requiredOption('--email <address>', 'address of the account')
    .action(async (options: { email: string }) => {
      await using data = await OperatorData.open()
      const { accountId } = await data.accountOf(options.email)
      const listed = []
      for (let page = 1, isComplete = false; !isComplete; page++) {
        const found = await data.keys.list(accountId, { page, limit: 500 })
        listed.push(...found.keys)
        isComplete = found.keys.length === 0 || listed.length >= found.total
      }
      const keys = listed.map(each => ({
        key_id: each.keyId,
        name: each.name,
        begins_with: each.display,
        status: each.revokedAtMs === null ? 'active' : 'revoked',
        created_at: dateOf(each.createdAtMs),
        last_used_at: dateOf(each.lastUsedAtMs),
        request_count: each.requestCount,
        credits_consumed: each.creditsConsumed,
      }))
      const table = keys.map(each => [
        each.key_id,
        each.name,
        `${each.begins_with}…`,
        each.status,
        each.last_used_at ?? 'never used',
        `${each.request_count}`,
        `${each.credits_consumed}`,
      ])
      const head = ['KEY', 'NAME', 'BEGINS', 'STATUS', 'LAST USED', 'REQUESTS', 'CREDITS']
      output.finish(formatTable([head, ...table]), { keys })
    })

  key
    .command('revoke')
    .description('end a key for good, from the next request on')
    .argument('<key-id>', 'as "vitrine key list" shows it')
    .action(async (keyId: string) => {
      await using data = await OperatorData.open()
      if (!(await data.keys.revoke({ keyId }))) throw new OperatorError(`There is no active key ${keyId}.`)
      output.finish([`Revoked the key ${keyId}.`], { key_id: keyId, status: 'revoked' })
    })
}

function dateOf(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString()
}
