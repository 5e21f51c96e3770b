import path from 'node:path'
import type { Command } from 'commander'
import type { Account } from '../accounts/accounts.ts'
import { signInLinkOf } from '../dashboard/sign-in-link.ts'
import { checkSurroundings } from '../first-run/check-surroundings.ts'
import { FIRST_ACCOUNT_CREDITS, FirstRun } from '../first-run/first-run.ts'
import { listStarterPack } from '../first-run/starter-pack.ts'
import { buildWelcome } from '../first-run/welcome.ts'
import type { Services } from '../services.ts'
import type { Settings } from '../settings/load-settings.ts'
import { readProcessSettings } from '../settings/process-environment.ts'
import { openObjectStorage } from '../storage/open-object-storage.ts'
import { sampleArtworkFile } from '../templates/open-template-store.ts'
import type { TemplateStore } from '../templates/template-store.ts'
import type { CommandOutput } from './command-output.ts'
import { OperatorError } from './operator-error.ts'

/** The template of the command that the first start prints. */
const FIRST_TEMPLATE_ID = 'oak-frame-portrait'

export function serveCommand(program: Command, output: CommandOutput): void {
  program
    .command('serve')
    .description('run the service; docs/reference/configuration.md lists its settings, which are environment variables')
    .action(async () => {
      const settings = readProcessSettings()
      await checkSurroundings(settings, openObjectStorage(settings))
      let newAccount: Account | null = null
      let bundles: readonly string[] | null = null
      // Only this command needs the web server's modules.
      const { refusalOf, serve } = await import('../main.ts')
      try {
        await serve({
          prepare: async ({ database, templates, instanceId }) => {
            const firstRun = new FirstRun(database, instanceId)
            newAccount = await firstRun.prepareAccount()
            bundles = await firstRun.importFirst(templates, inOrder(listStarterPack()), bundle =>
              output.note(`Importing the first template, ${path.basename(bundle)} …`),
            )
          },
          afterStart: async ({ services, url }, signal) => {
            await announce({ settings, services, url, newAccount, awaitedCount: bundles?.length ?? 0 }, output)
            if (bundles !== null) await importBehind(services, bundles, signal, output)
          },
        })
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal !== null) throw new OperatorError(refusal.join('\n'), { cause: error })
        // A failed system call (a full disk, a removed folder) is no defect.
        if (!(error instanceof Error && 'syscall' in error)) throw error
        throw new OperatorError(`The service cannot start: ${error.message}.`, { cause: error })
      }
    })
}

type Started = {
  readonly settings: Settings
  readonly services: Services
  /** Where it listens. */
  readonly url: string
  /** The account whose key is still to be shown. */
  readonly newAccount: Account | null
  readonly awaitedCount: number
}

/** Says that the service is ready, and hands over the first key. */
async function announce(started: Started, output: CommandOutput): Promise<void> {
  const { settings, services, url, newAccount, awaitedCount } = started
  const publicUrl = settings.PUBLIC_URL ?? url
  const dataFolder = path.resolve(settings.DATA_DIR)
  if (newAccount === null) {
    const sentences = [
      `Vitrine is ready at ${publicUrl}; its data is in ${dataFolder}.`,
      'A link into the dashboard: npx vitrine account sign-in-link --email ADDRESS',
    ]
    return output.finish(sentences, { url: publicUrl, data_dir: dataFolder })
  }
  const { email, accountId } = newAccount
  const templateId = await chooseTemplate(services.templates, newAccount)
  const listening = { ...settings, PORT: Number(new URL(url).port) || settings.PORT }
  const signInLink = await signInLinkOf(services, listening, newAccount)
  const about = { publicUrl, dataFolder, templateId, signInLink, sampleArtwork: sampleArtworkFile, awaitedCount }
  await new FirstRun(services.database, services.instanceId).handOverKey(newAccount, services.apiKeys, key =>
    output.finish([buildWelcome({ ...about, email, credits: FIRST_ACCOUNT_CREDITS, key })], {
      url: publicUrl,
      data_dir: dataFolder,
      account_id: accountId,
      email,
      key,
      sign_in_link: signInLink,
    }),
  )
}

/** Imports the other templates that ship while the service answers. */
async function importBehind(
  services: Services,
  bundles: readonly string[],
  signal: AbortSignal,
  output: CommandOutput,
): Promise<void> {
  const complain = (what: string, error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`vitrine: ${what}; the next start tries again: ${reason}\n`)
  }
  const firstRun = new FirstRun(services.database, services.instanceId)
  const isWhole = await firstRun
    .importOthers(services.templates, bundles, {
      signal,
      onFailed: (bundle, error) => complain(`The template ${path.basename(bundle)} was not imported`, error),
    })
    .catch((error: unknown) => complain('The first start was not finished', error))
  if (isWhole) output.note(`All ${bundles.length + 1} templates that ship are imported.`)
}

/** The template of the printed command comes first. */
function inOrder(bundles: readonly string[]): string[] {
  const isFirst = (bundle: string) => path.basename(bundle) === FIRST_TEMPLATE_ID
  return [...bundles.filter(isFirst), ...bundles.filter(bundle => !isFirst(bundle))]
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
