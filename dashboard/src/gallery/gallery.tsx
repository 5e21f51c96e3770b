/** The gallery: every scene shows the chosen artwork, live. Several artworks are shown in rows. */
import '../scenes/gallery.css'
import type { DashboardTemplate } from '@vitrine/contract'
import { useCallback, useMemo, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { announce } from '../components/announcer.tsx'
import { bestFitFirst } from '../scenes/scene-facts.ts'
import { useArtworkLooks } from '../scenes/use-artwork-looks.ts'
import { useArtworkSize } from '../scenes/use-artwork-size.ts'
import { useSession } from '../session/session.ts'
import type { GalleryAddress } from '../visit/gallery-address.ts'
import { galleryPlacementOf } from '../visit/gallery-placing.ts'
import { isPicked, type Picks, pickedScenes, withoutPicks, withPicks } from '../visit/picks.ts'
import { channelSizes } from './channel-sizes.ts'
import { CloseLook } from './close-look.tsx'
import { findCropped } from './find-cropped.ts'
import { MasonryRow, PlacingContext, SheetRows } from './gallery-rows.tsx'
import { type Cell, planMockups } from './planned-mockups.ts'
import { SendLink } from './send-link.tsx'
import { SkipScenes, Tray } from './tray.tsx'
import { useTraySettings } from './tray-settings.ts'
import { type ChangeAddress, useGalleryState } from './use-gallery-state.ts'
import { findBetterColors, useHardlyShown } from './use-hardly-shown.ts'
import { usePicked } from './use-picked.ts'

const noColors: ProductColors = {}

type GalleryProps = {
  templates: readonly DashboardTemplate[]
  /** Without duplicates. */
  artworks: readonly File[]
  /** If given, every artwork has a row, even a single one, and can be removed. */
  onTakeOut?: (artwork: File) => void
  /** Scenes that crop the artwork least come first. */
  isBestFirst: boolean
  address: GalleryAddress
  onAddress: ChangeAddress
}

export function Gallery({ templates, artworks, onTakeOut, isBestFirst, address, onAddress }: GalleryProps) {
  const { account } = useSession()
  const { placing, colors, picks, dispatch, pick, setPicks, setColors } = useGalleryState(artworks, address, onAddress)
  const [settings, setSettings] = useTraySettings(account.id)
  const [opened, setOpened] = useState<{ id: string; artwork: File } | null>(null)
  const [isSending, setSending] = useState(false)
  const [firstArtwork = null] = artworks
  const size = useArtworkSize(firstArtwork)
  const ordered = useMemo(() => {
    if (!isBestFirst || size === null) return templates
    // Sorted by the crop at the initial placement, so that scenes stay in place while the artwork moves.
    return bestFitFirst(templates, size)
  }, [templates, isBestFirst, size])
  const withoutCell = (from: Picks, { artwork, template }: Cell) =>
    withoutPicks(from, { ids: [template.id], artworks: [artwork] }, artworks)
  const open = useCallback((id: string, artwork: File) => setOpened({ id, artwork }), [])
  const pickedIds = useMemo(() => pickedScenes(picks, artworks), [picks, artworks])
  const picked = usePicked(ordered, pickedIds)
  const pickSet = useMemo(() => new Set(picks), [picks])
  const cells = useMemo(
    () =>
      artworks.flatMap(artwork =>
        picked.filter(({ id }) => isPicked(pickSet, id, artwork)).map((template): Cell => ({ artwork, template })),
      ),
    [artworks, picked, pickSet],
  )
  const { looks, isComplete } = useArtworkLooks(artworks, cells.length > 0)
  const mockups = useMemo(
    () => planMockups(artworks, cells, settings, { placing, colors }, looks),
    [artworks, cells, settings, placing, colors, looks],
  )
  const cropped = useMemo(() => findCropped(cells, placing, looks), [cells, placing, looks])
  const placed = useMemo(() => ({ placing, colors }), [placing, colors])
  const hardlyShown = useHardlyShown(cells, placed, looks)
  const recolor = async () => {
    let count = 0
    await findBetterColors(hardlyShown, placed, looks, (id, better) => {
      count++
      setColors(id, better)
    })
    if (count === 0) announce('No other suggested colour shows the artwork better.')
  }
  const widthPx = Math.max(...channelSizes.filter(({ id }) => settings.sizes.includes(id)).map(each => each.widthPx))
  const lookedAt = opened === null ? undefined : ordered.find(({ id }) => id === opened.id)
  const step = (by: -1 | 1) => {
    const index = ordered.findIndex(({ id }) => id === opened?.id)
    const next = ordered[(index + by + ordered.length) % ordered.length]
    if (opened !== null && next !== undefined) setOpened({ ...opened, id: next.id })
  }
  const rows = { templates: ordered, colors, widthPx, dispatch, picks: pickSet, pick, open }
  return (
    <>
      <SkipScenes />
      <PlacingContext value={placing}>
        {onTakeOut !== undefined || artworks.length !== 1 || firstArtwork === null ? (
          <SheetRows {...rows} artworks={artworks} onTakeOut={onTakeOut} />
        ) : (
          <MasonryRow {...rows} artwork={firstArtwork} />
        )}
      </PlacingContext>
      <Tray
        cells={cells}
        artworkCount={artworks.length}
        mockups={mockups}
        isPlanned={isComplete}
        cropped={cropped}
        hardlyShown={hardlyShown}
        onRecolor={recolor}
        onLeaveOut={left => setPicks(left.reduce(withoutCell, picks))}
        onFit={(fit, fitted = ordered) => dispatch({ kind: 'fit', fit, templates: fitted })}
        settings={settings}
        onSettings={setSettings}
        onUnpick={id => setPicks(withoutPicks(picks, { ids: [id], artworks }, artworks))}
        onPickAll={() => setPicks(withPicks(picks, { ids: ordered.map(({ id }) => id), artworks }, artworks))}
        onPickNone={() => setPicks([])}
        onSend={() => setSending(true)}
      />
      {isSending && cells.length > 0 && (
        <SendLink cells={cells} looks={looks} placing={placing} colors={colors} onClose={() => setSending(false)} />
      )}
      {opened !== null && lookedAt !== undefined && (
        <OpenedLook
          template={lookedAt}
          artwork={opened.artwork}
          others={artworks.filter(file => file !== opened.artwork)}
          placement={galleryPlacementOf(placing, lookedAt, looks.get(opened.artwork)?.isClear)}
          colors={colors[lookedAt.id] ?? noColors}
          onColors={changed => setColors(lookedAt.id, changed)}
          dispatch={dispatch}
          isPicked={isPicked(pickSet, lookedAt.id, opened.artwork)}
          onPick={() => pick({ ids: [lookedAt.id], artworks: [opened.artwork] })}
          onStep={step}
          onClose={() => {
            setOpened(null)
            document.querySelector<HTMLElement>(`[data-tile="${lookedAt.id}"]`)?.focus()
          }}
        />
      )}
    </>
  )
}

function OpenedLook(props: Omit<Parameters<typeof CloseLook>[0], 'size'>) {
  return <CloseLook {...props} size={useArtworkSize(props.artwork)} />
}
