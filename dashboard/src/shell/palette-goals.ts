/** What the command palette finds: pages, templates, tags, keys by name and, for operators, accounts. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { NavigateOptions } from '@tanstack/react-router'
import { accountsQuery } from '../queries/accounts-query.ts'
import { keysQuery } from '../queries/keys-query.ts'
import { templatesQuery } from '../queries/templates-query.ts'
import { useSession } from '../session/session.ts'

const TEMPLATES_SHOWN = 8
/** The most tags, keys or accounts that are listed. */
const OTHERS_SHOWN = 4

/** A path without parameters and its name in the navigation. */
export type PalettePage = { readonly to: string; readonly label: string }

export type Goal = {
  readonly id: string
  readonly label: string
  readonly kind: string
  readonly to: NavigateOptions
}

/** Whether the text contains all words. */
const has = (text: string, words: readonly string[]): boolean => words.every(word => text.toLowerCase().includes(word))

/** `typed`: the content of the field; `search`: the same after a pause in typing, sent to the service. */
export function usePaletteGoals(pages: readonly PalettePage[], typed: string, search: string): readonly Goal[] {
  const { role } = useSession().account
  const isSearching = search !== ''
  const keep = { placeholderData: keepPreviousData }
  const found = useInfiniteQuery({ ...templatesQuery(isSearching ? { search } : {}), ...keep }).data?.pages[0]
  const favourites = useInfiniteQuery({ ...templatesQuery({ show: 'favourites' }), ...keep }).data?.pages[0]
  const keys = useQuery({ ...keysQuery({ search }), enabled: isSearching }).data?.keys ?? []
  const accounts =
    useQuery({
      ...accountsQuery({ page: 1, search, order: 'email' }),
      enabled: isSearching && role === 'operator',
    }).data?.accounts ?? []
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const isAsking = words.length > 0
  const offered = isAsking || favourites === undefined || favourites.templates.length === 0 ? found : favourites
  return [
    ...pages
      .filter(({ label }) => has(label, words))
      .map(({ to, label }) => ({ id: `page ${to}`, label, kind: 'Page', to: { href: to } })),
    ...(offered?.templates ?? []).slice(0, TEMPLATES_SHOWN).map(template => ({
      id: `template ${template.id}`,
      label: template.name ?? template.id,
      kind: template.favourite ? 'Favourite' : 'Template',
      to: { to: '/templates/$id' as const, params: { id: template.id } },
    })),
    ...(found?.tags ?? [])
      .filter(tag => has(tag, words))
      .slice(0, OTHERS_SHOWN)
      .map(tag => ({ id: `tag ${tag}`, label: tag, kind: 'Tag', to: { to: '/templates' as const, search: { tag } } })),
    // Results for an earlier search are not shown.
    ...(isAsking ? keys : [])
      .filter(({ name }) => has(name, words))
      .slice(0, OTHERS_SHOWN)
      .map(({ id, name, prefix }) => ({
        id: `key ${id}`,
        label: `${name} (${prefix}…)`,
        kind: 'Key',
        to: { to: '/keys' as const, search: { search: name } },
      })),
    ...(isAsking ? accounts : [])
      .filter(({ email }) => has(email, words))
      .slice(0, OTHERS_SHOWN)
      .map(({ id, email }) => ({
        id: `account ${id}`,
        label: email,
        kind: 'Account',
        to: { to: '/accounts/$id' as const, params: { id } },
      })),
  ]
}
