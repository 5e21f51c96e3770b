/** What the cluster has before its nodes start: templates, accounts with keys; and the expected pictures. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { defaults } from '@vitrine/contract'
import { parseTemplate, prepareTemplate } from '@vitrine/engine'
import { createRenderer, createSharpCodec, openBundleFolder } from '@vitrine/engine/node'
import { Accounts } from '../../src/accounts/accounts.ts'
import { ApiKeys } from '../../src/api-keys/api-keys.ts'
import { openDatabase } from '../../src/database/database.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { openObjectStorage } from '../../src/storage/open-object-storage.ts'
import { openTemplateStore } from '../../src/templates/open-template-store.ts'
import { plainPicture, writeBundle } from '../../test/mockups/test-bundle.ts'

/** Small pictures: the run is about faults, and shares a machine with its engines. */
export const WIDTH_PX = 160

const starterTemplate = path.resolve(import.meta.dirname, '../../../templates/oak-frame-portrait')

export type ChaosAccount = { readonly accountId: string; readonly keys: readonly string[]; readonly credits: number }

export type ChaosArtwork = { readonly url: string; readonly bytes: Uint8Array<ArrayBuffer> }

export type ChaosWorld = {
  readonly accounts: readonly ChaosAccount[]
  /** Has too few credits. */
  readonly poor: ChaosAccount
  /** Keys that nothing else uses, for the rate limit. */
  readonly probeKeys: readonly string[]
  readonly templateIds: readonly string[]
  readonly artworks: readonly ChaosArtwork[]
  /** SHA-256 of the mockup of a template and an artwork, rendered without the service. */
  readonly expected: (templateId: string, artwork: ChaosArtwork) => string
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const ACCOUNTS = 4
const KEYS_PER_ACCOUNT = 8
const PROBES = 12
export const POOR_CREDITS = 5

/** A web server of the artworks. */
export async function startArtworks(): Promise<{ artworks: ChaosArtwork[]; host: string } & Disposable> {
  const pictures = await Promise.all(
    (
      [
        [220, 60, 40],
        [30, 90, 200],
      ] as const
    ).map(async color => new Uint8Array(await plainPicture(300, 300, color))),
  )
  const server = createServer((request, response) => {
    response.end(pictures[Number(request.url?.slice(1))] ?? '')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
  const host = `127.0.0.1:${address.port}`
  return {
    host,
    artworks: pictures.map((bytes, index) => ({ url: `http://${host}/${index}`, bytes })),
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Fills an empty database and bucket. */
export async function prepareWorld(
  environment: Readonly<Record<string, string>>,
  folder: string,
  artworks: readonly ChaosArtwork[],
): Promise<ChaosWorld> {
  const settings = loadSettings({ ...environment, DATA_DIR: path.join(folder, 'setup') })
  await using stack = new AsyncDisposableStack()
  const database = await openDatabase({ databaseUrl: settings.DATABASE_URL, dataDir: settings.DATA_DIR })
  stack.defer(() => database.close())
  await database.migrate()
  const templates = openTemplateStore(settings, database, openObjectStorage(settings))
  const folders = [
    await writeBundle(path.join(folder, 'bundles'), 'one-frame', 1),
    await writeBundle(path.join(folder, 'bundles'), 'two-frames', 2),
    starterTemplate,
  ]
  for (const bundle of folders) await templates.importBundle({ path: bundle, ownerAccountId: null })
  const accounts = new Accounts(database)
  const apiKeys = new ApiKeys(database, { onError: error => console.error(error) })
  stack.defer(() => apiKeys.close())
  const makeAccount = async (name: string, credits: number, keyCount: number): Promise<ChaosAccount> => {
    const { accountId } = await accounts.create({ email: `${name}@example.com`, credits })
    const keys: string[] = []
    for (let i = 0; i < keyCount; i++) keys.push((await apiKeys.create({ accountId, name: `key ${i}` })).key)
    return { accountId, keys, credits }
  }
  const customers: ChaosAccount[] = []
  for (let i = 0; i < ACCOUNTS; i++) customers.push(await makeAccount(`customer-${i}`, 1_000_000, KEYS_PER_ACCOUNT))
  const { keys: probeKeys } = await makeAccount('prober', 0, PROBES)
  return {
    accounts: customers,
    poor: await makeAccount('poor', POOR_CREDITS, 2),
    probeKeys,
    templateIds: folders.map(bundle => path.basename(bundle)),
    artworks,
    expected: await renderExpected(folders, artworks),
  }
}

async function renderExpected(
  bundles: readonly string[],
  artworks: readonly ChaosArtwork[],
): Promise<ChaosWorld['expected']> {
  const codec = createSharpCodec()
  const renderer = createRenderer()
  const output = { format: defaults.format, quality: defaults.quality }
  const digests = new Map<string, string>()
  for (const bundle of bundles) {
    const files = await openBundleFolder(bundle)
    const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
    const prepared = await prepareTemplate(template, files, WIDTH_PX, codec)
    for (const artwork of artworks) {
      const { bytes } = await renderer.render({ prepared, artworks: { bytes: artwork.bytes }, output }, codec)
      digests.set(`${template.id} ${artwork.url}`, sha256(bytes))
    }
  }
  return (templateId, { url }) => digests.get(`${templateId} ${url}`) ?? 'none'
}
