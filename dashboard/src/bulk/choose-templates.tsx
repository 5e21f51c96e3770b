import './bulk.css'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/controls.tsx'
import { GallerySkeleton } from '../components/gallery-skeleton.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Failure } from '../components/states.tsx'
import { formatCount } from '../format.ts'
import { templatesQuery } from '../pages/templates-query.ts'
import { WornPicture } from '../wall/worn-picture.tsx'
import type { BulkInputs } from './bulk-store.ts'

type Chosen = BulkInputs['templates']
type ChooseTemplatesProps = {
  chosen: Chosen
  /** Every picture wears it. */
  artwork: File | null
  onChange: (change: (before: Chosen) => Chosen) => void
  disabled: boolean
}

export function ChooseTemplates({ chosen, artwork, onChange, disabled }: ChooseTemplatesProps) {
  const [search, setSearch] = useState('')
  const templates = useInfiniteQuery({
    ...templatesQuery({ search: search || undefined }),
    placeholderData: keepPreviousData,
  })
  const ids = new Set(chosen.map(({ id }) => id))
  const remove = (id: string) => onChange(before => before.filter(one => one.id !== id))
  return (
    <section className="stack-form" aria-labelledby="templates">
      <h2 id="templates">2. Templates</h2>
      <SearchField label="Search templates" value={search} onSearch={setSearch} />
      {chosen.length > 0 && (
        <ul className="chips" aria-label="Chosen templates">
          {chosen.map(({ id, name }) => (
            <li key={id}>
              <Button className="button-small" disabled={disabled} onClick={() => remove(id)}>
                {name}
                <span className="chip-x" aria-hidden="true">
                  ×
                </span>
                <span className="visually-hidden">: take it out</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {templates.isPending && <GallerySkeleton />}
      {templates.isError && <Failure error={templates.error} onRetry={() => void templates.refetch()} />}
      {templates.data?.pages[0]?.pagination.total === 0 && (
        <p className="quiet">No template has “{search}” in its name, category or id.</p>
      )}
      <ul className="gallery gallery-small">
        {templates.data?.pages.flatMap(page =>
          page.templates.map(template => (
            <li key={template.id}>
              <label className="choice">
                <WornPicture template={template} artwork={artwork} alt="" />
                <span className="check">
                  <input
                    type="checkbox"
                    checked={ids.has(template.id)}
                    disabled={disabled}
                    onChange={() => {
                      const { id, name } = template
                      if (ids.has(id)) remove(id)
                      else onChange(before => [...before, { id, name }])
                    }}
                  />
                  <span>{template.name}</span>
                </span>
              </label>
            </li>
          )),
        )}
      </ul>
      {templates.hasNextPage && (
        <div>
          <Button onClick={() => void templates.fetchNextPage()} aria-busy={templates.isFetchingNextPage}>
            Show more of {formatCount(templates.data?.pages[0]?.pagination.total ?? 0)} templates
          </Button>
        </div>
      )}
    </section>
  )
}
