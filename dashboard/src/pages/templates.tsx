import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { send } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink, Field, Select } from '../components/controls.tsx'
import { Empty, Failure, Skeleton } from '../components/states.tsx'
import { TemplateCard } from '../components/template-card.tsx'
import { formatCount } from '../format.ts'
import { queryClient } from '../session/session.ts'
import { templatesQuery } from './templates-query.ts'

const route = getRouteApi('/signed-in/templates')

export function Templates() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const templates = useInfiniteQuery({ ...templatesQuery(filters), placeholderData: keepPreviousData })
  const first = templates.data?.pages[0]
  const filter = (change: typeof filters) =>
    void navigate({ search: previous => ({ ...previous, ...change }), replace: true })
  return (
    <>
      <header className="page-head">
        <h1>Templates</h1>
        <div className="row">
          <ImportBundle />
          <ButtonLink look="primary" to="/templates/new">
            New template
          </ButtonLink>
        </div>
      </header>
      <div className="stack">
        <div className="filters" role="search">
          <Field
            label="Search"
            type="search"
            value={filters.search ?? ''}
            onChange={event => filter({ search: event.currentTarget.value || undefined })}
          />
          <Select
            label="Category"
            value={filters.category ?? ''}
            onChange={event => filter({ category: event.currentTarget.value || undefined })}
            options={[
              { value: '', label: 'All categories' },
              ...(first?.categories ?? []).map(category => ({ value: category, label: category })),
            ]}
          />
          <Select
            label="Type"
            value={filters.type ?? ''}
            onChange={event => filter({ type: event.currentTarget.value || undefined })}
            options={[
              { value: '', label: 'Prints and products' },
              { value: 'print', label: 'Prints' },
              { value: 'product', label: 'Products' },
            ]}
          />
        </div>
        {templates.isPending && <Skeleton rows={2} height={240} />}
        {templates.isError && <Failure error={templates.error} onRetry={() => void templates.refetch()} />}
        {first !== undefined && (
          <>
            <p className="quiet" aria-live="polite">
              {formatCount(first.pagination.total)} {first.pagination.total === 1 ? 'template' : 'templates'}
            </p>
            {first.pagination.total === 0 && (
              <Empty title="Nothing matches">
                <p>No template has this name, category and type together.</p>
                <Button onClick={() => void navigate({ search: {}, replace: true })}>Show all templates</Button>
              </Empty>
            )}
            <ul className="gallery">
              {templates.data?.pages.flatMap(page =>
                page.templates.map(template => (
                  <li key={template.id}>
                    <TemplateCard template={template} />
                  </li>
                )),
              )}
            </ul>
            {templates.hasNextPage && (
              <LoadMore loading={templates.isFetchingNextPage} onMore={() => void templates.fetchNextPage()} />
            )}
          </>
        )}
      </div>
    </>
  )
}

/** Loads the next page when the reader comes near, or asks for it. */
function LoadMore({ loading, onMore }: { loading: boolean; onMore: () => void }) {
  const sentinel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = sentinel.current
    if (element === null || loading) return
    const observer = new IntersectionObserver(
      entries => entries.some(({ isIntersecting }) => isIntersecting) && onMore(),
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [loading, onMore])
  return (
    <div ref={sentinel} className="row">
      <Button onClick={onMore} aria-busy={loading}>
        {loading ? 'Loading…' : 'Show more templates'}
      </Button>
    </div>
  )
}

function ImportBundle() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<Error | null>(null)
  const upload = async (file: File | undefined) => {
    if (file === undefined) return
    setError(null)
    try {
      const response = await send('/dashboard/api/templates', {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body: file,
      })
      const { id }: { id: string } = await response.json()
      await queryClient.invalidateQueries({ queryKey: ['templates'] })
      announce(`Imported the template ${id}.`)
      await navigate({ to: '/templates/$id', params: { id } })
    } catch (failure) {
      setError(asError(failure))
    } finally {
      if (input.current !== null) input.current.value = ''
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Bundle to import"
        onChange={event => void upload(event.currentTarget.files?.[0])}
      />
      <Button onClick={() => input.current?.click()}>Import bundle</Button>
      {error !== null && <Failure error={error} />}
    </>
  )
}
