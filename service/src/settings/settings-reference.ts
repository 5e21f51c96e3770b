import { type SettingDescriptor, settingDescriptors } from './setting-descriptors.ts'

function defaultOf({ defaultText, defaultValue }: SettingDescriptor): string {
  if (defaultText !== undefined) return defaultText
  if (defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0)) return 'unset'
  return `\`${typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)}\``
}

/** The page docs/reference/configuration.md, as Markdown. */
export function buildSettingsReference(): string {
  const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)
  const cell = (text: string) => text.replaceAll('|', '\\|')
  return [
    '# Configuration',
    '',
    '<!-- Generated from service/src/settings/setting-descriptors.ts by `node scripts/generate-reference.ts`. Do not edit. -->',
    '',
    'Settings are environment variables. An empty one counts as unset. A wrong one stops the start, which names every problem at once, one sentence each, and never shows a secret.',
    '',
    'A secret is better stored in a file: `AUTH_SECRET_FILE=/run/secrets/auth-secret` instead of `AUTH_SECRET`, and so for every setting marked as a secret. The environment of a process can be read by every process of the same user for as long as it runs (`/proc/PID/environ`); a file can be closed to those that do not need it. Spaces and line breaks around the secret do not count.',
    '',
    '| Name | Value | Default | What for |',
    '|---|---|---|---|',
    ...descriptors.map(([name, descriptor]) => {
      const { type, isSecret, reason } = descriptor
      return `| \`${name}\` | ${cell(type.expected)}${isSecret === true ? ' (secret)' : ''} | ${cell(defaultOf(descriptor))} | ${cell(reason)} |`
    }),
    '',
  ].join('\n')
}
