import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { StorageUnavailableError } from './object-storage.ts'

export type S3Keys = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Only for temporary keys. */
  readonly sessionToken?: string
}

/** The source of the credentials: fixed keys, or a role with temporary keys. */
export type S3CredentialSource =
  | ({ readonly from: 'keys' } & S3Keys)
  | {
      readonly from: 'web-identity'
      readonly roleArn: string
      readonly tokenFile: string
      /** The security token service. */
      readonly endpoint: string
    }
  | { readonly from: 'container'; readonly url: string; readonly tokenFile?: string | undefined }
  | { readonly from: 'instance'; readonly endpoint: string }

/** Keys are renewed this long before they expire; a failed renewal is retried while they still work. */
const RENEW_BEFORE_MS = 5 * 60_000
const RETRY_AFTER_MS = 10_000
const TIMEOUT_MS = 5_000
const INSTANCE_TOKEN_SECONDS = 300

type TemporaryKeys = S3Keys & { readonly expiresAtMs: number }

/** Credentials for each request. Those of a role are renewed before they expire, once for all requests. */
export class S3Credentials {
  readonly #source: S3CredentialSource
  #keys: TemporaryKeys | null = null
  #renewAtMs = 0
  #renewing: Promise<TemporaryKeys> | null = null

  constructor(source: S3CredentialSource) {
    this.#source = source
  }

  /** @throws StorageUnavailableError if no keys are available now */
  async load(): Promise<S3Keys> {
    const source = this.#source
    if (source.from === 'keys') return source
    const nowMs = Date.now()
    if (this.#keys !== null && nowMs < this.#renewAtMs) return this.#keys
    this.#renewing ??= this.#renew(source).finally(() => {
      this.#renewing = null
    })
    if (this.#keys === null || nowMs >= this.#keys.expiresAtMs) return this.#renewing
    // The old keys still work, so the renewal runs in the background.
    this.#renewing.catch(() => undefined)
    return this.#keys
  }

  async #renew(source: Exclude<S3CredentialSource, { readonly from: 'keys' }>): Promise<TemporaryKeys> {
    this.#renewAtMs = Date.now() + RETRY_AFTER_MS
    try {
      const keys = await fetchKeys(source)
      this.#keys = keys
      const leftMs = keys.expiresAtMs - Date.now()
      this.#renewAtMs = Date.now() + Math.max(leftMs / 2, leftMs - RENEW_BEFORE_MS)
      return keys
    } catch (error) {
      throw new StorageUnavailableError(`the credentials of the object storage cannot be had (${source.from})`, {
        cause: error,
      })
    }
  }
}

function fetchKeys(source: Exclude<S3CredentialSource, { readonly from: 'keys' }>): Promise<TemporaryKeys> {
  if (source.from === 'web-identity') return assumeRole(source)
  return source.from === 'container' ? askContainer(source) : askInstance(source)
}

/** The answers of container and instance metadata endpoints. */
const keysAnswer = z.object({
  AccessKeyId: z.string().min(1),
  SecretAccessKey: z.string().min(1),
  Token: z.string().min(1),
  Expiration: z.iso.datetime({ offset: true }),
})

function readKeys(text: string): TemporaryKeys {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = keysAnswer.parse(JSON.parse(text))
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: Token,
    expiresAtMs: Date.parse(Expiration),
  }
}

async function assumeRole(source: { roleArn: string; tokenFile: string; endpoint: string }): Promise<TemporaryKeys> {
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: source.roleArn,
    RoleSessionName: 'vitrine',
    WebIdentityToken: (await readFile(source.tokenFile, 'utf8')).trim(),
  })
  const answer = await ask(source.endpoint, { method: 'POST', body: form })
  const field = (name: string): string => {
    const [, value] = new RegExp(`<${name}>([^<]+)</${name}>`).exec(answer) ?? []
    if (value === undefined) throw new Error(`the answer lacks ${name}`)
    return value.replaceAll('&amp;', '&')
  }
  return {
    accessKeyId: field('AccessKeyId'),
    secretAccessKey: field('SecretAccessKey'),
    sessionToken: field('SessionToken'),
    expiresAtMs: Date.parse(field('Expiration')),
  }
}

async function askContainer({ url, tokenFile }: { url: string; tokenFile?: string | undefined }) {
  const headers = tokenFile === undefined ? {} : { Authorization: (await readFile(tokenFile, 'utf8')).trim() }
  return readKeys(await ask(url, { headers }))
}

/** IMDSv2: it needs a token first, so that a proxy cannot be tricked into asking. */
async function askInstance({ endpoint }: { endpoint: string }): Promise<TemporaryKeys> {
  const ttl = { 'X-aws-ec2-metadata-token-ttl-seconds': `${INSTANCE_TOKEN_SECONDS}` }
  const token = await ask(`${endpoint}/latest/api/token`, { method: 'PUT', headers: ttl })
  const headers = { 'X-aws-ec2-metadata-token': token }
  const roles = `${endpoint}/latest/meta-data/iam/security-credentials/`
  const [role = ''] = (await ask(roles, { headers })).trim().split('\n')
  return readKeys(await ask(`${roles}${encodeURIComponent(role)}`, { headers }))
}

async function ask(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  const text = await response.text()
  if (response.ok) return text
  throw new Error(`expected an answer with status 200 but received ${response.status}`)
}
