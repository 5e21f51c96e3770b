import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button, ButtonLink, Select } from '../components/controls.tsx'
import { giveFiles } from '../components/file-drops.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { GallerySkeleton } from '../components/gallery-skeleton.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Empty, Failure } from '../components/states.tsx'
import { counted } from '../format.ts'
import { GalleryLater } from '../gallery/gallery-later.tsx'
import { useWarmScenes } from '../gallery/use-warm-scenes.ts'
import { MarkedSelect } from '../marks/marked-select.tsx'
import { UnfinishedImports } from '../psd-import/unfinished-imports.tsx'
import { type TemplateFilters, templatesQuery } from '../queries/templates-query.ts'
import { useMasonry } from '../scenes/use-masonry.ts'
import type { GalleryAddress } from '../visit/gallery-address.ts'
import { useChosenArtworks } from '../visit/use-chosen-artworks.ts'
import { ChosenArtwork } from './chosen-artwork.tsx'
import { TemplateCard } from './template-card.tsx'

const route = getRouteApi('/signed-in/templates')

export function Templates() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const templates = useInfiniteQuery({ ...templatesQuery(filters), placeholderData: keepPreviousData })
  const first = templates.data?.pages[0]
  const filter = (change: typeof filters) =>
    void navigate({ search: previous => ({ ...previous, ...change }), replace: true })
  const artworks = useChosenArtworks()
  const shown = useMemo(() => templates.data?.pages.flatMap(page => page.templates) ?? [], [templates.data])
  const setAddress = useCallback(
    (change: GalleryAddress) =>
      void navigate({
        search: previous => ({ ...previous, ...change }),
        state: before => ({ ...before, galleryAtMs: Date.now() }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  useWarmScenes(shown)
  const masonry = useMasonry(shown)
  return (
    <>
      <header className="page-head">
        <h1>Templates</h1>
        <div className="row">
          <FilePicker label="Photoshop file to import" accept=".psd,.psb" onFile={file => giveFiles([file])}>
            Import PSD
          </FilePicker>
          <FilePicker label="Bundle to import" accept=".zip,application/zip" onFile={file => giveFiles([file])}>
            Import bundle
          </FilePicker>
          <ButtonLink look="primary" to="/templates/new">
            New template
          </ButtonLink>
        </div>
      </header>
      <div className="stack">
        <UnfinishedImports />
        <ChosenArtwork />
        <Filters
          filters={filters}
          categories={first?.categories ?? []}
          tags={first?.tags ?? []}
          hasArtwork={artworks.length > 0}
          onChange={filter}
        />
        {templates.isPending && <GallerySkeleton />}
        {templates.isError && <Failure error={templates.error} onRetry={() => void templates.refetch()} />}
        {first !== undefined && (
          <>
            <p className="quiet" aria-live="polite">
              {counted(first.pagination.total, 'template')}
            </p>
            {first.pagination.total === 0 && (
              <NothingFound filters={filters} onReset={() => void navigate({ search: {}, replace: true })} />
            )}
            {artworks.length > 0 && shown.length > 0 ? (
              <GalleryLater
                templates={shown}
                artworks={artworks}
                isBestFirst={filters.order === 'fit' || (filters.order === undefined && !templates.hasNextPage)}
                address={filters}
                onAddress={setAddress}
              />
            ) : (
              <ul
                className="gallery masonry"
                ref={masonry.ref}
                style={masonry.style}
                aria-busy={templates.isPlaceholderData}
              >
                {shown.map((template, index) => (
                  <li key={template.id} style={masonry.items[index]}>
                    <TemplateCard template={template} />
                  </li>
                ))}
              </ul>
            )}
            {templates.hasNextPage && (
              <LoadMore loading={templates.isFetchingNextPage} onMore={() => void templates.fetchNextPage()} />
            )}
          </>
        )}
      </div>
    </>
  )
}

type FiltersProps = {
  filters: TemplateFilters
  categories: readonly string[]
  tags: readonly string[]
  hasArtwork: boolean
  onChange: (change: TemplateFilters) => void
}

/** Phones show only the search until the other filters are opened. */
function Filters({ filters, categories, tags, hasArtwork, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const { category, type, show, tag, order } = filters
  const set = [category, type, show ?? tag, order].filter(each => each !== undefined).length
  return (
    <div className={`filters filters-five${isOpen ? ' filters-open' : ''}`} role="search">
      <SearchField value={filters.search ?? ''} onSearch={text => onChange({ search: text || undefined })} />
      <Button className="filters-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {set === 0 ? 'Filters' : `Filters (${set})`}
      </Button>
      <Select
        label="Category"
        value={filters.category ?? ''}
        onChange={event => onChange({ category: event.currentTarget.value || undefined })}
        options={[
          { value: '', label: 'All categories' },
          ...categories.map(category => ({ value: category, label: category })),
        ]}
      />
      <Select
        label="Type"
        value={filters.type ?? ''}
        onChange={event => onChange({ type: event.currentTarget.value || undefined })}
        options={[
          { value: '', label: 'All types' },
          { value: 'print', label: 'Prints' },
          { value: 'product', label: 'Products' },
        ]}
      />
      <MarkedSelect {...filters} tags={tags} onChange={onChange} />
      <Select
        label="Order"
        value={filters.order ?? ''}
        onChange={event => onChange({ order: event.currentTarget.value || undefined })}
        options={[
          { value: '', label: hasArtwork ? 'Best fit first' : 'By name' },
          ...(hasArtwork ? [{ value: 'name', label: 'By name' }] : []),
          { value: 'newest', label: 'Newest first' },
        ]}
      />
    </div>
  )
}

function NothingFound({ filters, onReset }: { filters: TemplateFilters; onReset: () => void }) {
  const { search, category, type, show } = filters
  const isUnmarked = show !== undefined && search === undefined && category === undefined && type === undefined
  return (
    <Empty title={isUnmarked ? 'No favourites yet' : 'No templates match'}>
      {isUnmarked ? (
        <p>The star beside a template’s name makes it a favourite.</p>
      ) : (
        <p>Try another search or other filters.</p>
      )}
      <Button onClick={onReset}>Show all templates</Button>
    </Empty>
  )
}

/** Loads the next page when the reader approaches the end, or on request. */
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
