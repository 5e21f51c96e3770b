import { counted } from '@vitrine/engine/counted'
import type { Command } from 'commander'
import { type CommandOutput, formatTable } from './command-output.ts'
import { OperatorData } from './operator-data.ts'
import { parseCredits, parseEmailAddress } from './parse-options.ts'

export function accountCommands(program: Command, output: CommandOutput): void {
  const account = program.command('account').description('make and list accounts')

  account
    .command('create')
    .description('make an account with a wallet')
    .requiredOption('--email <address>', 'address of its owner', parseEmailAddress)
    .option('--credits <number>', 'credits to begin with', parseCredits(0), 0)
    .action(async (options: { email: string; credits: number }) => {
      await using data = await OperatorData.open({ mayCreate: true })
      const { accountId, email } = await data.accounts.create(options)
      await data.note(accountId, 'account_created')
      output.finish([`Made the account ${accountId} for ${email} with ${counted(options.credits, 'credit')}.`], {
        account_id: accountId,
        email,
        credits: options.credits,
      })
    })

  account
    .command('sign-in-link')
    .description('make a link that signs in to the dashboard, once, within 15 minutes')
    .requiredOption('--email <address>', 'address of the account')
    .option('--remove-second-factor', 'for a person who has lost it: the link would ask for it otherwise')
    .action(async ({ email, removeSecondFactor }: { email: string; removeSecondFactor?: true }) => {
      await using data = await OperatorData.open()
      const account = await data.accountOf(email)
      if (removeSecondFactor) await data.removeSecondFactor(account)
      const url = await data.signInLink(account)
      output.finish([url], { url })
    })

  account
    .command('list')
    .description('list all accounts, oldest first')
    .action(async () => {
      await using data = await OperatorData.open()
      const rows = []
      for (let page = 1, isComplete = false; !isComplete; page++) {
        const { accounts, total } = await data.accounts.list({ page, limit: 500 })
        for (const each of accounts) {
          const { spendableCredits } = await data.wallet.balance(each.accountId)
          rows.push({ ...each, spendableCredits })
        }
        isComplete = accounts.length === 0 || rows.length >= total
      }
      const accounts = rows.map(row => ({
        account_id: row.accountId,
        email: row.email,
        role: row.role,
        balance_credits: row.spendableCredits,
        created_at: new Date(row.createdAtMs).toISOString(),
      }))
      const table = accounts.map(each => [
        each.account_id,
        each.email,
        each.role,
        `${each.balance_credits}`,
        each.created_at,
      ])
      output.finish(formatTable([['ACCOUNT', 'EMAIL', 'ROLE', 'CREDITS', 'CREATED'], ...table]), { accounts })
    })
}
