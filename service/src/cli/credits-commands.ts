import { counted } from '@vitrine/engine/counted'
import type { Command } from 'commander'
import { OperatorError } from '../errors/operator-error.ts'
import type { CommandOutput } from './command-output.ts'
import { OperatorData } from './operator-data.ts'
import { parseCredits } from './parse-options.ts'

export function creditsCommands(program: Command, output: CommandOutput): void {
  const credits = program.command('credits').description('give credits')

  credits
    .command('grant')
    .description('give an account credits')
    .requiredOption('--email <address>', 'address of the account')
    .requiredOption('--credits <number>', 'how many', parseCredits(1))
    .requiredOption('--reason <text>', 'why, as the ledger keeps it')
    .action(async (options: { email: string; credits: number; reason: string }) => {
      const reason = options.reason.trim()
      if (reason === '' || reason.length > 500) {
        throw new OperatorError('Expected a reason of 1 to 500 characters for --reason but received another.')
      }
      await using data = await OperatorData.open()
      const { accountId, email } = await data.accountOf(options.email)
      const { spendableCredits } = await data.wallet.grant({ accountId, credits: options.credits, reason })
      await data.note(accountId, 'credits_granted', String(options.credits))
      output.finish([`Gave ${email} ${counted(options.credits, 'credit')}; ${spendableCredits} can be spent now.`], {
        account_id: accountId,
        email,
        credits: options.credits,
        balance_credits: spendableCredits,
      })
    })
}
