import { limits } from '@vitrine/contract'
import type { Command } from 'commander'
import { OperatorError } from '../errors/operator-error.ts'
import { type CommandOutput, formatTable } from './command-output.ts'
import { OperatorData } from './operator-data.ts'
import { parseList, parseWhole } from './parse-options.ts'

type CreateOptions = {
  readonly email: string
  readonly name: string
  readonly origin: readonly string[]
  readonly template?: readonly string[]
  readonly width?: number
  readonly watermark?: string
  readonly loadsPerDay?: number
}

export function publishableKeyCommands(program: Command, output: CommandOutput): void {
  const key = program.command('publishable-key').description('make, list and revoke keys for previews in web pages')
  const { pageWidthPxMin, pageWidthPxMax, pageLoadsPerDayMax, pageLoadsPerDayDefault } = limits

  key
    .command('create')
    .description('make a publishable key: it may be embedded in a page, and opens only previews')
    .requiredOption('--email <address>', 'address of the account')
    .requiredOption('--name <text>', 'label of the key')
    .requiredOption(
      '--origin <origin>',
      'pages that may use it: https://shop.example, http://localhost:*',
      parseList(String),
    )
    .option('--template <id>', 'template that it opens (default: all shared ones)', parseList(String))
    .option(
      '--width <pixels>',
      `greatest width of a preview (default: ${pageWidthPxMax})`,
      parseWhole('a width in pixels', pageWidthPxMin, pageWidthPxMax),
    )
    .option('--watermark <text>', 'drawn over each preview (default: none)')
    .option(
      '--loads-per-day <number>',
      `loads in 24 hours (default: ${pageLoadsPerDayDefault})`,
      parseWhole('a number of loads', 1, pageLoadsPerDayMax),
    )
    .action(async (options: CreateOptions) => {
      await using data = await OperatorData.open()
      const { accountId, email } = await data.accountOf(options.email)
      const made = await data.publishableKeys.create({
        accountId,
        name: options.name,
        origins: options.origin,
        templateIds: options.template,
        widthPx: options.width,
        watermark: options.watermark,
        loadsPerDay: options.loadsPerDay,
      })
      await data.note(accountId, 'publishable_key_created', made.keyId)
      const sentences = [
        `Made the publishable key ${made.keyId} for ${email}, for pages of ${made.origins.join(', ')}:`,
        '',
        `  ${made.key}`,
        '',
      ]
      output.finish(sentences, { key_id: made.keyId, key: made.key })
    })

  key
    .command('list')
    .description("list an account's publishable keys, newest first")
    .requiredOption('--email <address>', 'address of the account')
    .action(async (options: { email: string }) => {
      await using data = await OperatorData.open()
      const { accountId } = await data.accountOf(options.email)
      const keys = (await data.publishableKeys.list(accountId)).map(each => ({
        key_id: each.keyId,
        name: each.name,
        key: each.key,
        status: each.revokedAtMs === null ? 'active' : 'revoked',
        origins: each.origins,
        template_ids: each.templateIds,
        width: each.widthPx,
        watermark: each.watermark,
        loads_per_day: each.loadsPerDay,
        created_at: new Date(each.createdAtMs).toISOString(),
      }))
      const table = keys.map(each => [
        each.key_id,
        each.name,
        each.key,
        each.status,
        each.origins.join(','),
        each.template_ids?.join(',') ?? 'all shared',
        `${each.width}`,
        `${each.loads_per_day}`,
        each.watermark ?? 'none',
      ])
      const head = ['KEY', 'NAME', 'TEXT', 'STATUS', 'ORIGINS', 'TEMPLATES', 'WIDTH', 'LOADS PER DAY', 'WATERMARK']
      output.finish(formatTable([head, ...table]), { keys })
    })

  key
    .command('revoke')
    .description('end a publishable key for good, from the next load on')
    .argument('<key-id>', 'as "vitrine publishable-key list" shows it')
    .action(async (keyId: string) => {
      await using data = await OperatorData.open()
      const accountId = await data.publishableKeys.revoke({ keyId })
      if (accountId === null) throw new OperatorError(`There is no active publishable key ${keyId}.`)
      await data.note(accountId, 'publishable_key_revoked', keyId)
      output.finish([`Revoked the publishable key ${keyId}.`], { key_id: keyId, status: 'revoked' })
    })
}
