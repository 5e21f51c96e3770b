import type { ColorAreaResource, TemplateOrigin } from '@vitrine/contract'
import { describeFault, type Fault } from '@vitrine/engine/bundle'
import type { Command } from 'commander'
import { OperatorError } from '../errors/operator-error.ts'
import { inspectBundle } from '../templates/inspect-bundle.ts'
import { sampleArtworkFile } from '../templates/open-template-store.ts'
import { mebibytes } from '../templates/template-quota.ts'
import type { TemplateRecord } from '../templates/template-record.ts'
import type { BundleWork } from '../templates/template-store.ts'
import { type CommandOutput, formatTable, type JsonValue } from './command-output.ts'
import { OperatorData } from './operator-data.ts'
import { type PhotoOptions, photoCommand } from './photo-command.ts'
import { importPsdCommand, isPhotoshopName, type PsdOptions } from './psd-command.ts'

export function templateCommands(
  program: Command,
  output: CommandOutput,
  { bundleWork }: { readonly bundleWork?: BundleWork },
): void {
  const { inspect = inspectBundle } = bundleWork ?? {}
  const importBundle = (path: string, account: string | undefined, origin?: TemplateOrigin) =>
    importInto({ path, account, origin, bundleWork })
  const template = program.command('template').description('check, import, list, share, restore and remove templates')

  template
    .command('check')
    .description('explain every fault of a bundle; exit code 1 if it has errors')
    .argument('<path>', 'folder or zip of a bundle')
    .action(async (path: string) => {
      const looked = await inspect({ from: path, toFolder: null, sampleArtwork: sampleArtworkFile })
      const errorCount = looked.faults.filter(fault => fault.severity === 'error').length
      const warningCount = looked.faults.length - errorCount
      const verdict = looked.template ? `The template ${looked.template.id} can be imported` : 'Not a usable template'
      const { describeTemplateCost } = await import('@vitrine/engine')
      const cost = looked.cost === null ? [] : [`Rendering it takes up to ${describeTemplateCost(looked.cost)}.`]
      const summary = `${verdict}: ${errorCount} errors, ${warningCount} warnings.`
      const colors = looked.template?.colors ?? []
      output.finish([...describeFaults(looked.faults), ...describeColors(colors), ...cost, summary], {
        template_id: looked.template?.id ?? null,
        errors: errorCount,
        warnings: warningCount,
        faults: looked.faults.map((fault): JsonValue => ({ ...fault })),
        colors: colors.map(({ name, default: color, suggestions }) => ({
          name,
          default: color,
          suggestions: suggestions.map((suggestion): JsonValue => ({ ...suggestion })),
        })),
        cost: looked.cost && {
          time_ms: Math.round(looked.cost.timeMs),
          memory_bytes: Math.round(looked.cost.memoryBytes),
        },
      })
      if (!looked.template) process.exitCode = 1
    })

  template
    .command('import')
    .description('take in a bundle (the same id again makes the next version), or make one of a Photoshop file')
    .argument('<path>', 'folder or zip of a bundle; or a PSD or PSB, from which one is made')
    .option('--account <email>', 'the one account that may use it; without it everybody may')
    .option('--out <folder>', 'of a PSD: where the bundle is also written')
    .option('--no-import', 'of a PSD: the bundle is written, and not imported')
    .option('--frame <name>', 'of a PSD: a smart object that becomes a frame; may be repeated', collect, [])
    .option(
      '--color <name=layer>',
      'of a PSD: a layer of one colour that requests may change; may be repeated',
      collect,
      [],
    )
    .option('--width <pixels>', 'of a PSD: the width of the template, which is reduced to it')
    .option('--matte <color>', 'of a PSD: the background of a transparent document', '#ffffff')
    .action(async (path: string, options: { account?: string } & PsdOptions) => {
      if (isPhotoshopName(path)) {
        await importPsdCommand(path, options, output, folder => importBundle(folder, options.account, 'photoshop'))
        return
      }
      const { templateId, version, sentences } = await importBundle(path, options.account)
      output.finish(sentences, { template_id: templateId, version })
    })

  template
    .command('from-photo')
    .description('make a template of a photo of a blank product and a drawing on it, and import it')
    .argument('<photo>', 'JPEG, PNG or WebP')
    .requiredOption('--drawing <file>', 'drawing.json: where artwork lies on the photo')
    .option('--out <folder>', 'where the bundle is written; it is not imported then')
    .option('--id <id>', 'id of the template; without it, of the name of the photo')
    .option('--name <name>', 'name of the template; without it, that of the photo')
    .option('--category <category>', 'category of the template', 'From photos')
    .option('--account <email>', 'the one account that may use it; without it everybody may')
    .action(async (file: string, options: PhotoOptions & { account?: string }) => {
      await photoCommand(file, options, output, folder => importBundle(folder, options.account, 'photo'))
    })

  template
    .command('list')
    .description('list all templates by name')
    .action(async () => {
      await using data = await OperatorData.open()
      const records = await data.templates.listAll()
      const owners = new Map<string, string>()
      for (const { ownerAccountId } of records) {
        if (ownerAccountId === null || owners.has(ownerAccountId)) continue
        owners.set(ownerAccountId, (await data.accounts.get(ownerAccountId))?.email ?? ownerAccountId)
      }
      const templates = records.map(record => ({
        template_id: record.id,
        name: record.name,
        category: record.category,
        type: record.type,
        frame_count: record.aspectRatios.length,
        version: record.version,
        account: record.ownerAccountId === null ? null : (owners.get(record.ownerAccountId) ?? null),
      }))
      const table = templates.map(each => [
        each.template_id,
        each.name,
        each.category,
        `${each.frame_count}`,
        `${each.version}`,
        each.account ?? 'everybody',
      ])
      const head = ['TEMPLATE', 'NAME', 'CATEGORY', 'FRAMES', 'VERSION', 'WHOSE']
      output.finish(formatTable([head, ...table]), { templates })
    })

  template
    .command('share')
    .description('share a template of one account with everybody, from the next request on; its id stays')
    .argument('<template-id>')
    .option('--account <email>', 'whose template; without it the only one with this id')
    .option('--only <email>', 'the one account that has it from now on, in place of everybody')
    .action(async (templateId: string, options: { account?: string; only?: string }) => {
      await using data = await OperatorData.open()
      const record = await templateOf(data, templateId, options.account)
      const owner = options.only === undefined ? null : (await data.accountOf(options.only)).accountId
      if (!(await data.templates.changeOwner(record, { ownerAccountId: owner })))
        throw noTemplate(templateId, options.account)
      if (record.ownerAccountId !== owner)
        await data.note(
          owner ?? record.ownerAccountId,
          owner === null ? 'template_shared' : 'template_unshared',
          templateId,
        )
      output.finish([`${templateId} is for ${options.only ?? 'everybody'} now.`], {
        template_id: templateId,
        account: options.only ?? null,
      })
    })

  template
    .command('versions')
    .description('list the versions of a template that can be restored, after the current one')
    .argument('<template-id>')
    .option('--account <email>', 'whose template; without it the shared one, or the only one with this id')
    .action(async (templateId: string, options: { account?: string }) => {
      await using data = await OperatorData.open()
      const record = await templateOf(data, templateId, options.account)
      const versions = (await data.templates.versionsOf(record)).map(each => ({
        version: each.version,
        current: each.isCurrent,
        name: each.name,
        made_at: new Date(each.madeAtMs).toISOString(),
        origin: each.origin,
        restored_from: each.restoredFrom,
        size_bytes: each.sizeBytes,
      }))
      const table = versions.map(each => [
        `${each.version}`,
        each.made_at,
        each.restored_from === null ? each.origin : `version ${each.restored_from}, restored`,
        `${mebibytes(each.size_bytes)} MiB`,
        each.current ? `${each.name} (current)` : each.name,
      ])
      output.finish(formatTable([['VERSION', 'MADE', 'BY', 'SIZE', 'NAME'], ...table]), {
        template_id: templateId,
        versions,
      })
    })

  template
    .command('restore')
    .description('make an earlier version the current one, from the next request on; the current one is retained')
    .argument('<template-id>')
    .argument('<version>', 'a number that "template versions" lists')
    .option('--account <email>', 'whose template; without it the shared one, or the only one with this id')
    .action(async (templateId: string, number: string, options: { account?: string }) => {
      const wanted = /^[1-9][0-9]{0,8}$/.test(number) ? Number(number) : null
      if (wanted === null)
        throw new OperatorError(
          `The version must be a number that "template versions" lists: ${JSON.stringify(number)} is none.`,
        )
      await using data = await OperatorData.open()
      const record = await templateOf(data, templateId, options.account)
      if (wanted === record.version) throw new OperatorError(`Version ${wanted} of ${templateId} is the current one.`)
      const version = await data.templates.restore(record, wanted)
      if (version === null)
        throw new OperatorError(
          `There is no earlier version ${wanted} of ${templateId}: "vitrine template versions ${templateId}" lists them.`,
        )
      await data.note(record.ownerAccountId, 'template_restored', templateId)
      output.finish([`Version ${wanted} of ${templateId} is current again, as version ${version}.`], {
        template_id: templateId,
        version,
        restored_from: wanted,
      })
    })

  template
    .command('remove')
    .description('take a template away, from the next request on; its id stays its owner’s')
    .argument('<template-id>')
    .option('--account <email>', 'whose template; without it the shared one, or the only one with this id')
    .action(async (templateId: string, options: { account?: string }) => {
      await using data = await OperatorData.open()
      const record = await templateOf(data, templateId, options.account)
      if (!(await data.templates.remove(record))) throw noTemplate(templateId, options.account)
      await data.note(record.ownerAccountId, 'template_removed', templateId)
      output.finish([`Removed the template ${templateId}.`], { template_id: templateId, removed: true })
    })
}

/** @throws OperatorError if there is none */
async function templateOf(
  data: OperatorData,
  templateId: string,
  account: string | undefined,
): Promise<TemplateRecord> {
  const record = await data.templateOf(templateId, account)
  if (record === null) throw noTemplate(templateId, account)
  return record
}

function noTemplate(templateId: string, account: string | undefined): OperatorError {
  return new OperatorError(`There is no template ${templateId}${account === undefined ? '' : ` of ${account}`}.`)
}

async function importInto({
  path,
  account,
  origin = 'import',
  bundleWork,
}: {
  readonly path: string
  readonly account: string | undefined
  readonly origin: TemplateOrigin | undefined
  readonly bundleWork: BundleWork | undefined
}) {
  await using data = await OperatorData.open({ mayCreate: true, bundleWork })
  const owner = account === undefined ? null : (await data.accountOf(account)).accountId
  const { templateId, version, isChanged, warnings } = await data.templates.importBundle({
    path,
    ownerAccountId: owner,
    origin,
  })
  if (isChanged) await data.note(owner, 'template_imported', templateId)
  const done = isChanged ? `Imported ${templateId}` : `${templateId} is there already, unchanged`
  return { templateId, version, sentences: [...describeFaults(warnings), `${done} (version ${version}).`] }
}

function collect(value: string, values: string[]): string[] {
  return [...values, value]
}

function describeColors(colors: readonly ColorAreaResource[]): string[] {
  return colors.map(({ name, default: color, suggestions }) => {
    const named = suggestions.map(suggestion => `${suggestion.name} ${suggestion.value}`).join(', ')
    return `Colour area ${name}: default ${color}${named === '' ? '' : `; suggested ${named}`}.`
  })
}

export function describeFaults(faults: readonly Fault[]): string[] {
  return faults.map(fault => `${fault.severity}: ${fault.file || 'bundle'}: ${describeFault(fault)}`)
}
