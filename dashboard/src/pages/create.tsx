/** Many mockups at once, a second view of the gallery: artworks are rows, scenes columns; one run. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Ref, useCallback, useMemo, useRef } from 'react'
import { announce } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { DropZone } from '../components/drop-zone.tsx'
import { GallerySkeleton } from '../components/gallery-skeleton.tsx'
import { Page } from '../components/page.tsx'
import { PointerWords } from '../components/pointer-words.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Failure } from '../components/states.tsx'
import { formatCount } from '../format.ts'
import { GalleryLater } from '../gallery/gallery-later.tsx'
import { useWarmScenes } from '../gallery/use-warm-scenes.ts'
import { MarkedSelect } from '../marks/marked-select.tsx'
import { type TemplateFilters, templatesQuery } from '../queries/templates-query.ts'
import { chooseArtworks } from '../scenes/choose-artworks.ts'
import { useSession } from '../session/session.ts'
import type { GalleryAddress } from '../visit/gallery-address.ts'
import { defaultOutput } from '../visit/mockups.ts'
import { chosenNow, isSameFile, saveChosen } from '../visit/saved-work.ts'
import { useChosenArtworks } from '../visit/use-chosen-artworks.ts'

const route = getRouteApi('/signed-in/create')

export function Create() {
  const { account } = useSession()
  const chosen = useChosenArtworks()
  const addButton = useRef<HTMLButtonElement>(null)
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const templates = useInfiniteQuery({ ...templatesQuery(filters), placeholderData: keepPreviousData })
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
  const filter = (change: TemplateFilters) =>
    void navigate({ search: previous => ({ ...previous, ...change }), replace: true })
  const choose = (files: readonly File[]) =>
    void saveChosen(account.id, files.length === 0 ? null : { files, output: defaultOutput }).catch(() =>
      announce('This browser cannot store these artworks: a reload would lose them.'),
    )
  const takeOut = (artwork: File) => {
    const before = chosenNow(account.id) ?? []
    const others = before.filter(file => !isSameFile(file, artwork))
    // No row is left whose button could take the focus.
    if (others.length === 0) addButton.current?.focus()
    choose(others)
    announce(`Removed “${artwork.name}”.`, { undo: () => choose(before) })
  }
  const shown = useMemo(() => templates.data?.pages.flatMap(page => page.templates) ?? [], [templates.data])
  useWarmScenes(shown)
  return (
    <Page title="Create mockups">
      <div className="stack">
        <ChooseArtworks ref={addButton} onFiles={files => void chooseArtworks(account.id, files, chosen)} />
        <section className="stack-form" aria-label="Scenes">
          <div className="filters filters-two" role="search">
            <SearchField
              label="Search scenes"
              value={filters.search ?? ''}
              onSearch={text => filter({ search: text || undefined })}
            />
            <MarkedSelect {...filters} tags={templates.data?.pages[0]?.tags ?? []} onChange={filter} />
          </div>
          {templates.isPending && <GallerySkeleton />}
          {templates.isError && <Failure error={templates.error} onRetry={() => void templates.refetch()} />}
          {templates.data?.pages[0]?.pagination.total === 0 && <p className="quiet">No templates match your search.</p>}
          {chosen.length === 0 && (
            <p className="quiet">Each artwork becomes a row here, in every scene, before anything is paid.</p>
          )}
          {chosen.length > 0 && (
            <GalleryLater
              templates={shown}
              artworks={chosen}
              onTakeOut={takeOut}
              isBestFirst={false}
              address={filters}
              onAddress={setAddress}
            />
          )}
          {chosen.length > 0 && templates.hasNextPage && (
            <div>
              <Button onClick={() => void templates.fetchNextPage()} aria-busy={templates.isFetchingNextPage}>
                Show more of {formatCount(templates.data?.pages[0]?.pagination.total ?? 0)} scenes
              </Button>
            </div>
          )}
        </section>
      </div>
    </Page>
  )
}

type ChooseArtworksProps = {
  /** The ref of the button that adds artworks. */
  ref: Ref<HTMLButtonElement>
  onFiles: (files: readonly File[]) => void
}

function ChooseArtworks({ ref, onFiles }: ChooseArtworksProps) {
  return (
    <section className="stack-form" aria-label="Artworks">
      <DropZone label="Choose artworks" multiple ref={ref} onFiles={onFiles}>
        <p>
          <PointerWords
            fine="Drop or paste one picture or many, anywhere on this page"
            coarse="Choose one picture or many"
          />
          : JPEG, PNG, WebP or GIF, up to 20 MB each.
        </p>
      </DropZone>
    </section>
  )
}
