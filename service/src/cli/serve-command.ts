import path from 'node:path'
import type { Command } from 'commander'
import { type Account, Accounts } from '../accounts/accounts.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { checkSurroundings } from '../first-run/check-surroundings.ts'
import { FIRST_ACCOUNT_CREDITS, FirstRun } from '../first-run/first-run.ts'
import { listStarterPack, starterImportsFolder } from '../first-run/starter-pack.ts'
import { makeTrialMockup } from '../first-run/trial-mockup.ts'
import { buildWelcome } from '../first-run/welcome.ts'
import { commandName } from '../observability/service-version.ts'
import { SettingsError } from '../settings/load-settings.ts'
import { readProcessSettings } from '../settings/process-environment.ts'
import { signInLinkOf } from '../sign-in/sign-in-link.ts'
import { openObjectStorage } from '../storage/open-object-storage.ts'
import { sampleArtworkFile } from '../templates/open-template-store.ts'
import type { TemplateStore } from '../templates/template-store.ts'
import type { CommandOutput } from './command-output.ts'
import { StartProgress } from './start-progress.ts'

/** The template in the command that the first start prints. */
const FIRST_TEMPLATE_ID = 'oak-frame-portrait'

export function serveCommand(program: Command, output: CommandOutput): void {
  program
    .command('serve')
    .description('run the service; docs/reference/configuration.md lists its settings, which are environment variables')
    .action(async () => {
      const settings = readProcessSettings()
      using progress = new StartProgress(output.isJson ? null : process.stdout)
      progress.say('Loading the service')
      await checkSurroundings(settings, openObjectStorage(settings))
      const dataFolder = path.resolve(settings.DATA_DIR)
      let newAccount: Account | null = null
      let ownerEmail = 'ADDRESS'
      // Only this command needs the web server's modules.
      const { refusalOf, serve } = await import('../main.ts')
      progress.say('Opening the database and starting render processes')
      try {
        await serve({
          prepare: async services => {
            const { database, templates, instanceId } = services
            const firstRun = new FirstRun(database, instanceId)
            const bundles = listStarterPack()
            const areStored = await firstRun.importTemplates(templates, bundles, starterImportsFolder, bundle => {
              const number = bundles.indexOf(bundle) + 1
              progress.say(`Importing template ${number} of ${bundles.length}: ${path.basename(bundle)}`)
            })
            newAccount = areStored ? await firstRun.prepareAccount() : null
            if (newAccount === null) {
              ownerEmail = (await new Accounts(database).findOwner())?.email ?? ownerEmail
              return
            }
            progress.say('Preparing the first mockup')
            await makeTrialMockup(services, FIRST_TEMPLATE_ID, newAccount.accountId)
          },
          afterStart: async ({ services, url }) => {
            progress.end()
            const publicUrl = settings.PUBLIC_URL ?? url
            if (newAccount === null) {
              const sentences = [
                `Vitrine is ready at ${publicUrl}; its data is in ${dataFolder}.`,
                `A link into the dashboard: ${commandName} account sign-in-link --email ${ownerEmail}`,
              ]
              return output.finish(sentences, { url: publicUrl, data_dir: dataFolder })
            }
            const account: Account = newAccount
            const templateId = await chooseTemplate(services.templates, account)
            const listening = { ...settings, PORT: Number(new URL(url).port) || settings.PORT }
            const signInLink = await signInLinkOf(services, listening, account)
            const about = { publicUrl, dataFolder, templateId, signInLink, sampleArtwork: sampleArtworkFile }
            const { email } = account
            await new FirstRun(services.database, services.instanceId).handOverKey(account, services.apiKeys, key =>
              output.finish([buildWelcome({ ...about, email, credits: FIRST_ACCOUNT_CREDITS, key })], {
                url: publicUrl,
                data_dir: dataFolder,
                account_id: account.accountId,
                email,
                key,
                sign_in_link: signInLink,
              }),
            )
          },
        })
      } catch (error) {
        if (error instanceof SettingsError) throw error
        const refusal = refusalOf(error)
        if (refusal !== null) throw new OperatorError(refusal.join('\n'), { cause: error })
        // A failed system call (full disk, missing folder) is not a defect.
        if (!(error instanceof Error && 'syscall' in error)) throw error
        throw new OperatorError(`The service cannot start: ${error.message}.`, { cause: error })
      }
    })
}

/** The preferred template, else the first with one frame, else the first. */
async function chooseTemplate(templates: TemplateStore, { accountId }: Account): Promise<string | null> {
  const list = await templates.list({ accountId, page: 1, limit: 100 })
  const chosen =
    list.templates.find(({ id }) => id === FIRST_TEMPLATE_ID) ??
    list.templates.find(({ aspectRatios }) => aspectRatios.length === 1) ??
    list.templates[0]
  return chosen?.id ?? null
}
