import { type KeyScope, keyScopeSchema, keyScopes, limits } from '@vitrine/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { OperatorError } from '../errors/operator-error.ts'
import { type CommandOutput, formatTable } from './command-output.ts'
import { OperatorData } from './operator-data.ts'
import { parseDuration, parseExpiry, parseList } from './parse-options.ts'

const EXPIRY_HELP = 'never, from now on (90d), the end of a day in UTC (2027-01-31), or a moment'

type CreateOptions = {
  readonly email: string
  readonly name: string
  readonly expires?: ReturnType<typeof parseExpiry>
  readonly scope?: readonly KeyScope[]
  readonly allow?: readonly string[]
}

export function keyCommands(program: Command, output: CommandOutput): void {
  const key = program.command('key').description('make, list, rotate and revoke API keys')

  key
    .command('create')
    .description('make an API key; it is shown this once')
    .requiredOption('--email <address>', 'address of the account')
    .requiredOption('--name <text>', 'label of the key')
    .option('--expires <when>', `when it ends: ${EXPIRY_HELP} (default: never)`, parseExpiry)
    .option('--scope <scope>', `what it may do: ${keyScopes.join(', ')} (default: all)`, parseList(parseScope))
    .option('--allow <network>', 'address or network (CIDR) to use it from (default: all)', parseList(String))
    .action(async (options: CreateOptions) => {
      await using data = await OperatorData.open()
      const { accountId, email } = await data.accountOf(options.email)
      const made = await data.keys.create({
        accountId,
        name: options.name,
        ...options.expires,
        scopes: options.scope,
        allowedAddresses: options.allow,
      })
      await data.note(accountId, 'key_created', made.keyId)
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
        status: each.status,
        created_at: dateOf(each.createdAtMs),
        last_used_at: dateOf(each.lastUsedAtMs),
        expires_at: dateOf(each.expiresAtMs),
        scopes: each.scopes,
        allowed_addresses: each.allowedAddresses,
        replaced_by: each.replacedByKeyId,
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
        each.expires_at ?? 'never',
        each.scopes?.join(',') ?? 'all',
        each.allowed_addresses?.join(',') ?? 'all',
      ])
      const head = ['KEY', 'NAME', 'BEGINS', 'STATUS', 'LAST USED', 'REQUESTS', 'CREDITS', 'EXPIRES', 'SCOPES', 'FROM']
      output.finish(formatTable([head, ...table]), { keys })
    })

  key
    .command('rotate')
    .description('make a key that replaces another, which works for a while longer; it is shown only once')
    .argument('<key-id>', 'as "vitrine key list" shows it')
    .option(
      '--overlap <time>',
      `how long the old one still works (default: ${limits.keyOverlapHoursDefault}h)`,
      parseDuration,
    )
    .option('--expires <when>', `when the new one ends: ${EXPIRY_HELP} (default: it lives as long)`, parseExpiry)
    .action(
      async (keyId: string, { overlap, expires }: { overlap?: number; expires?: ReturnType<typeof parseExpiry> }) => {
        await using data = await OperatorData.open()
        const made = await data.keys.rotate({ keyId, overlapMs: overlap, ...expires })
        if (made === null) throw new OperatorError(`There is no active key ${keyId} that was not rotated before.`)
        await data.note(made.accountId, 'key_rotated', `${keyId} to ${made.keyId}`)
        const endsAt = new Date(made.oldEndsAtMs).toISOString()
        const sentences = [
          `Made the key ${made.keyId} to replace ${keyId}, which works until ${endsAt}.`,
          'It cannot be shown again:',
          '',
          `  ${made.key}`,
          '',
        ]
        output.finish(sentences, { key_id: made.keyId, key: made.key, old_key_id: keyId, old_key_ends_at: endsAt })
      },
    )

  key
    .command('revoke')
    .description('end a key for good, from the next request on')
    .argument('<key-id>', 'as "vitrine key list" shows it')
    .action(async (keyId: string) => {
      await using data = await OperatorData.open()
      if (!(await data.keys.revoke({ keyId }))) throw new OperatorError(`There is no active key ${keyId}.`)
      await data.note(await data.keys.ownerOf(keyId), 'key_revoked', keyId)
      output.finish([`Revoked the key ${keyId}.`], { key_id: keyId, status: 'revoked' })
    })
}

function dateOf(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString()
}

function parseScope(text: string): KeyScope {
  const { data } = keyScopeSchema.safeParse(text)
  if (data !== undefined) return data
  throw new InvalidArgumentError(`Expected one of ${keyScopes.join(', ')}.`)
}
