/** The templates that a publishable key gives access to. */
import './key-templates.css'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { limits } from '@vitrine/contract'
import { useState } from 'react'
import { Button, Check } from '../components/controls.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Loading } from '../components/states.tsx'
import { formatCount } from '../format.ts'
import { templatesQuery } from '../queries/templates-query.ts'

type KeyTemplatesProps = {
  /** Ids. Those that the list does not show, or that no longer exist, stay chosen. */
  chosen: readonly string[]
  onChange: (change: (before: readonly string[]) => readonly string[]) => void
}

export function KeyTemplates({ chosen, onChange }: KeyTemplatesProps) {
  const [search, setSearch] = useState('')
  const templates = useInfiniteQuery({
    ...templatesQuery({ search: search || undefined }),
    placeholderData: keepPreviousData,
  })
  const toggle = (id: string) =>
    onChange(before => (before.includes(id) ? before.filter(each => each !== id) : [...before, id]))
  const [first] = templates.data?.pages ?? []
  return (
    <fieldset className="key-templates">
      <legend>
        Templates: {formatCount(chosen.length)} of up to {formatCount(limits.pageTemplatesMax)}
      </legend>
      <SearchField label="Search templates" value={search} onSearch={setSearch} />
      <Loading query={templates} rows={3} />
      {first?.pagination.total === 0 && <p className="quiet">No template has “{search}” in its name or id.</p>}
      <ul className="key-templates-list">
        {templates.data?.pages.flatMap(page =>
          page.templates.map(({ id, name }) => (
            <li key={id}>
              <Check checked={chosen.includes(id)} onChecked={() => toggle(id)}>
                <span>{name}</span>
              </Check>
            </li>
          )),
        )}
      </ul>
      {templates.hasNextPage && (
        <Button onClick={() => void templates.fetchNextPage()} aria-busy={templates.isFetchingNextPage}>
          Show more of {formatCount(first?.pagination.total ?? 0)} templates
        </Button>
      )}
    </fieldset>
  )
}
