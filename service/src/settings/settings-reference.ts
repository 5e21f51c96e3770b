import { type SettingDescriptor, settingDescriptors } from './setting-descriptors.ts'

function defaultOf({ defaultText, defaultValue }: SettingDescriptor): string {
  if (defaultText !== undefined) return defaultText
  if (defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0)) return 'unset'
  return `\`${typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)}\``
}

/** Phrases that many settings would repeat, shortened because they are explained once above the table. */
const shortForms: readonly (readonly [RegExp, string])[] = [
  [/^a text of at most 1,000 characters without line breaks$/, 'text'],
  [/^an integer from (\d+) to (\d+)$/, '$1 to $2'],
  [/^one of /, ''],
  [/^a URL with a host that begins with /, 'begins with '],
  [/^a secret of at least 1 characters without spaces$/, 'text'],
  [/^a secret of at least (\d+) characters without spaces$/, 'at least $1 characters'],
  [/^an http:\/\/ or https:\/\/ URL with a host, without query, fragment and credentials$/, 'web address'],
]

const shorten = (expected: string): string =>
  shortForms.reduce((text, [pattern, short]) => text.replace(pattern, short), expected)

/** The page docs/reference/configuration.md, as Markdown. */
export function buildSettingsReference(): string {
  const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)
  const cell = (text: string) => text.replaceAll('|', '\\|')
  return [
    '# Configuration',
    '',
    '<!-- Generated from service/src/settings/setting-descriptors.ts by `node scripts/generate-reference.ts`. Do not edit. -->',
    '',
    'Settings are environment variables. An empty one counts as unset. A wrong one stops the start, which names every problem at once, one sentence each, and never shows a secret. A number is whole, unless its value says otherwise. A text is one line of at most 1,000 characters; a web address is an http:// or https:// URL with a host and without query, fragment and credentials.',
    '',
    'Secrets have no spaces. A secret is better stored in a file: `AUTH_SECRET_FILE=/run/secrets/auth-secret` instead of `AUTH_SECRET`, and so for every setting marked as a secret. Every process of the same user can read the environment of a process (`/proc/PID/environ`); a file can be closed to them. Spaces and line breaks around the secret do not count.',
    '',
    '| Name | Value | Default | What for |',
    '|---|---|---|---|',
    ...descriptors.map(([name, descriptor]) => {
      const { type, isSecret, reason } = descriptor
      return `| \`${name}\` | ${cell(shorten(type.expected))}${isSecret === true ? ' (secret)' : ''} | ${cell(defaultOf(descriptor))} | ${cell(reason)} |`
    }),
    '',
  ].join('\n')
}
