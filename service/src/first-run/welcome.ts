import { commandName } from '../observability/service-version.ts'

export type Welcome = {
  /** The address for clients, without a trailing slash. */
  readonly publicUrl: string
  readonly dataFolder: string
  readonly email: string
  readonly credits: number
  readonly key: string
  /** Signs in to the dashboard, once. */
  readonly signInLink: string
  /** A template that suits the sample artwork; null if none is bundled. */
  readonly templateId: string | null
  readonly sampleArtwork: string
}

/** The output of the first start: the address, the key, and one command that makes a mockup. */
export function buildWelcome(welcome: Welcome): string {
  const { publicUrl, dataFolder, email, credits, key, signInLink, templateId, sampleArtwork } = welcome
  const lines = [
    '',
    `Vitrine is ready at ${publicUrl}`,
    '',
    `  Data      ${dataFolder}`,
    `  Account   ${email}, ${credits.toLocaleString('en-US')} credits`,
    `  API key   ${key}   (shown this once)`,
    `  Dashboard ${signInLink}`,
    `            (works once, for 15 minutes; a new one: ${commandName} account sign-in-link --email ${email})`,
    '',
  ]
  if (templateId === null) return [...lines, ''].join('\n')
  return [
    ...lines,
    'Your first mockup, for one credit; paste this into another terminal:',
    '',
    buildCurl(publicUrl, key, templateId, sampleArtwork),
    '',
    '',
  ].join('\n')
}

/** One line, so that it can be pasted anywhere. */
function buildCurl(publicUrl: string, key: string, templateId: string, sampleArtwork: string): string {
  return [
    'curl -fsS',
    `-H 'Authorization: Bearer ${key}'`,
    `-F template_id=${templateId}`,
    `-F ${quote(`artwork=@${sampleArtwork}`)}`,
    '-o mockup.jpg',
    quote(`${publicUrl}/api/v1/mockups/generate`),
  ].join(' ')
}

/** Quotes a text for a shell, if necessary. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
