/** The wall: every scene wears the chosen artwork, live. Several artworks become rows. */
import './wall.css'
import type { DashboardTemplate } from '@vitrine/contract'
import { outputFormats } from '@vitrine/contract'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { buildTasks } from '../bulk/bulk-tasks.ts'
import { hasColors, type ProductColors } from '../coloring/product-colors.ts'
import { keepWall, loadWall } from '../kept-work.ts'
import { placementParameters } from '../placing/placing.ts'
import { useSession } from '../session/session.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { channelSizes } from './channel-sizes.ts'
import { CloseLook } from './close-look.tsx'
import type { RenderTask } from './render-runs.ts'
import { useRun } from './run-progress.tsx'
import { cropOf } from './scene-facts.ts'
import { SendLink } from './send-link.tsx'
import { Tray, type TraySettings } from './tray.tsx'
import { useArtworkSize } from './use-artwork-size.ts'
import { useMasonry } from './use-masonry.ts'
import { beginWallPlacing, changeWallPlacing, hasOwn, type WallPlacingAction, wallPlacementOf } from './wall-placing.ts'
import { WallTile } from './wall-tile.tsx'

const QUALITY = 85
const noColors: ProductColors = {}

type WallProps = {
  templates: readonly DashboardTemplate[]
  /** Each once. */
  artworks: readonly File[]
  /** Scenes that crop least come first. */
  isBestFirst: boolean
  /** Ids of templates. */
  picks: readonly string[]
  onPicks: (picks: readonly string[]) => void
}

export function Wall({ templates, artworks, isBestFirst, picks, onPicks }: WallProps) {
  const [placing, dispatch] = useWallPlacing()
  const [colors, setColors] = useState<Readonly<Record<string, ProductColors>>>({})
  const [settings, setSettings] = useState<TraySettings>({ sizes: ['etsy'], format: 'jpeg' })
  const [opened, setOpened] = useState<{ id: string; artwork: File } | null>(null)
  const [isSending, setSending] = useState(false)
  const size = useArtworkSize(artworks[0] ?? null)
  const ordered = useMemo(() => {
    if (!isBestFirst || size === null) return templates
    // By the crop of an artwork that nobody has placed: scenes stay where they are while it moves.
    const middle = wallPlacementOf({ byKind: {}, own: {} }, { id: '', is_product_template: false, surface_type: null })
    return templates.toSorted((a, b) => cropOf(a, size, middle) - cropOf(b, size, middle))
  }, [templates, isBestFirst, size])
  const newestPicks = useRef(picks)
  useEffect(() => {
    newestPicks.current = picks
  }, [picks])
  const pick = useCallback(
    (id: string) => {
      const before = newestPicks.current
      onPicks(before.includes(id) ? before.filter(each => each !== id) : [...before, id])
    },
    [onPicks],
  )
  const open = useCallback((id: string, artwork: File) => setOpened({ id, artwork }), [])
  const picked = useMemo(() => ordered.filter(({ id }) => picks.includes(id)), [ordered, picks])
  const tasks = useMemo(
    () => tasksOf(artworks, picked, settings, placing.history.present, colors),
    [artworks, picked, settings, placing.history.present, colors],
  )
  const widthPx = Math.max(...channelSizes.filter(({ id }) => settings.sizes.includes(id)).map(each => each.widthPx))
  const lookedAt = opened === null ? undefined : ordered.find(({ id }) => id === opened.id)
  const step = (by: -1 | 1) => {
    const index = ordered.findIndex(({ id }) => id === opened?.id)
    const next = ordered[(index + by + ordered.length) % ordered.length]
    if (opened !== null && next !== undefined) setOpened({ ...opened, id: next.id })
  }
  const rows = { templates: ordered, placing: placing.history.present, colors, widthPx, dispatch, picks, pick, open }
  return (
    <>
      {artworks.length === 1 && artworks[0] !== undefined ? (
        <MasonryRow {...rows} artwork={artworks[0]} />
      ) : (
        artworks.map(artwork => (
          <section key={`${artwork.name} ${artwork.lastModified}`} className="stack-form" aria-label={artwork.name}>
            <h2 className="wall-row-name">{artwork.name}</h2>
            <SheetRow {...rows} artwork={artwork} />
          </section>
        ))
      )}
      <Tray
        sceneCount={picked.length}
        artworkCount={artworks.length}
        tasks={tasks}
        settings={settings}
        onSettings={setSettings}
        onPickAll={() => onPicks(ordered.map(({ id }) => id))}
        onPickNone={() => onPicks([])}
        onSend={() => setSending(true)}
      />
      {isSending && picked.length > 0 && (
        <SendLink
          templates={picked}
          artwork={artworks[0] ?? null}
          placing={placing.history.present}
          colors={colors}
          onClose={() => setSending(false)}
        />
      )}
      {opened !== null && lookedAt !== undefined && (
        <OpenedLook
          template={lookedAt}
          artwork={opened.artwork}
          others={artworks.filter(file => file !== opened.artwork)}
          placement={wallPlacementOf(placing.history.present, lookedAt)}
          colors={colors[lookedAt.id] ?? noColors}
          onColors={changed => setColors(before => ({ ...before, [lookedAt.id]: changed }))}
          dispatch={dispatch}
          isPicked={picks.includes(lookedAt.id)}
          onPick={() => pick(lookedAt.id)}
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

type RowProps = {
  templates: readonly DashboardTemplate[]
  artwork: File
  placing: Parameters<typeof wallPlacementOf>[0]
  colors: Readonly<Record<string, ProductColors>>
  widthPx: number
  dispatch: (action: WallPlacingAction) => void
  picks: readonly string[]
  pick: (templateId: string) => void
  open: (templateId: string, artwork: File) => void
}

function MasonryRow(props: RowProps) {
  const list = useRef<HTMLUListElement>(null)
  const masonry = useMasonry(list)
  return (
    <ul className="gallery masonry" ref={list} aria-label="Scenes with your artwork">
      {props.templates.map(template => (
        <li key={template.id} style={masonry(ratioOf(template))}>
          <RowTile {...props} template={template} />
        </li>
      ))}
    </ul>
  )
}

function SheetRow(props: RowProps) {
  return (
    <ul className="sheet-row">
      {props.templates.map(template => (
        <li key={template.id} style={{ width: `${Math.round(180 * Math.sqrt(ratioOf(template)))}px` }}>
          <RowTile {...props} template={template} />
        </li>
      ))}
    </ul>
  )
}

const ratioOf = ({ look }: DashboardTemplate): number => (look === null ? 0.8 : look.width_px / look.height_px)

function RowTile({
  template,
  artwork,
  placing,
  colors,
  widthPx,
  dispatch,
  picks,
  pick,
  open,
}: RowProps & { template: DashboardTemplate }) {
  const { tasks, states } = useRun()
  const tile = tileName(template.id, artwork)
  const task = states[tasks.findLastIndex(each => each.tile === tile)] ?? null
  return (
    <WallTile
      template={template}
      artwork={artwork}
      size={useArtworkSize(artwork)}
      placement={wallPlacementOf(placing, template)}
      isOwn={hasOwn(placing, template)}
      colors={colors[template.id] ?? noColors}
      widthPx={widthPx}
      dispatch={dispatch}
      isPicked={picks.includes(template.id)}
      onPick={pick}
      onOpen={open}
      task={task}
    />
  )
}

const tileName = (templateId: string, artwork: File): string => `${templateId} ${artwork.name} ${artwork.lastModified}`

/** Every artwork in every picked scene at every size. */
function tasksOf(
  artworks: readonly File[],
  picked: readonly DashboardTemplate[],
  { sizes, format }: TraySettings,
  placing: RowProps['placing'],
  colors: RowProps['colors'],
): RenderTask[] {
  const byId = new Map(picked.map(template => [template.id, template]))
  const chosen = channelSizes.filter(({ id }) => sizes.includes(id))
  return buildTasks(artworks, [...byId.keys()], format).flatMap(({ artwork, templateId, fileName }) => {
    const template = byId.get(templateId)
    if (template === undefined) return []
    const placement = wallPlacementOf(placing, template)
    const color = colors[templateId] ?? noColors
    const work = {
      artworks: template.frames.map(() => artwork),
      placement: placementParameters({ frames: template.frames.map(() => placement), isShared: true }),
      ...(hasColors(color) ? { colors: color } : {}),
    }
    return chosen.map(({ id, widthPx }) => ({
      tile: tileName(templateId, artwork),
      template,
      work: { ...work, output: { format, widthPx, quality: QUALITY } },
      name: chosen.length === 1 ? fileName : fileName.replace(/\.\w+$/, `--${id}.${outputFormats[format].extension}`),
    }))
  })
}

/** Placements as they were left within the day; each rest is kept. */
function useWallPlacing() {
  const { account } = useSession()
  const [state, dispatch] = useReducer(changeWallPlacing, null, beginWallPlacing)
  const isTouched = state.history.past.length + state.history.future.length > 0
  const touched = useRef(isTouched)
  const newest = useRef(state.history.present)
  useEffect(() => {
    touched.current = isTouched
    newest.current = state.history.present
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is kept at each rest
  useEffect(() => {
    if (touched.current) keepWall(account.id, newest.current).catch(() => undefined)
  }, [account.id, state.gesture])
  useEffect(() => {
    loadWall(account.id).then(
      placing => {
        if (placing !== null && !touched.current) dispatch({ kind: 'restore', placing })
      },
      () => undefined,
    )
  }, [account.id])
  useUndoKeys(dispatch)
  return [state, dispatch] as const
}
