import { type KeyScope, keyScopes } from '@vitrine/contract'

/** The choices for limiting a key, in words, by their scopes separated by commas. */
export const scopeChoices = [
  { value: '', label: 'Everything' },
  { value: 'render', label: 'Make mockups only' },
  { value: 'read', label: 'Read templates, balance and usage only' },
] as const

/** The scopes of a choice; null for all. */
export function scopesOfChoice(value: string): KeyScope[] | null {
  const scopes = keyScopes.filter(scope => value.split(',').includes(scope))
  return scopes.length === 0 ? null : scopes
}

const scopeNames = { render: 'makes mockups', read: 'reads' } as const satisfies Record<KeyScope, string>

export function scopesInWords(scopes: readonly KeyScope[]): string {
  const names = scopes.map(scope => scopeNames[scope])
  return names.length === 1 ? `${names.join('')} only` : names.join(' and ')
}
