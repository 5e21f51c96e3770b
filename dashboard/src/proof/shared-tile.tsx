/** A scene of a proof: first the still as it was sent, then live. It never shows anything else. */
import type { Placement, SharedScene } from '@vitrine/contract'
import { type Dispatch, useCallback, useEffect, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { PictureRoom } from '../components/template-picture.tsx'
import { LiveTile } from '../scenes/live-tile.tsx'
import type { ArtworkSize } from '../scenes/scene-facts.ts'
import type { GalleryPlacingAction } from '../visit/gallery-placing.ts'
import type { ShownScenes } from './shown-scenes.ts'
import { useHeart } from './use-heart.ts'

export type SharedTileProps = {
  scene: SharedScene
  /** `none`: no artwork has been placed. Null: it has not loaded yet. */
  artwork: File | 'none' | null
  size: ArtworkSize | null
  placement: Placement
  colors: ProductColors
  /** Nothing in the scene differs from what was sent. */
  isAsSent: boolean
  shown: ShownScenes
  isHearted: boolean
  dispatch: Dispatch<GalleryPlacingAction>
  onHeart: (id: string) => void
  onOpen: (id: string) => void
}

export function SharedTile(props: SharedTileProps) {
  const { scene, artwork, isAsSent, shown, isHearted, onHeart, onOpen, ...tile } = props
  const { id, still_path } = scene
  const [isLoaded, setLoaded] = useState(false)
  const hasStill = still_path !== null && isAsSent
  useEffect(() => shown.note(id, 'still', isLoaded && hasStill), [shown, id, isLoaded, hasStill])
  const onCurrent = useCallback((isCurrent: boolean) => shown.note(id, 'drawing', isCurrent), [shown, id])
  const heart = useHeart(shown, id, onHeart)
  return (
    <div className="tile">
      <LiveTile
        {...tile}
        template={scene}
        artwork={artwork}
        below={<Still scene={scene} path={hasStill ? still_path : null} onLoad={() => setLoaded(true)} />}
        isBelowRetained
        widthPx={null}
        isAlways={!hasStill}
        onCurrent={onCurrent}
        keysHelp="Enter opens it, Space marks it with a heart."
        onMark={heart.toggle}
        onOpen={onOpen}
      >
        <Heart scene={scene} isOn={isHearted} isShown={heart.isShown} onToggle={heart.toggle} />
      </LiveTile>
      <p className="tile-name">{scene.name}</p>
    </div>
  )
}

type StillProps = { scene: Pick<SharedScene, 'look'>; path: string | null; onLoad?: () => void }

/** The still of a scene as it was sent, or empty space of its size. */
export function Still({ scene: { look }, path, onLoad }: StillProps) {
  if (path === null) return look === null ? <span className="framed still-room" /> : <PictureRoom look={look} />
  return (
    <img
      className="framed still"
      src={path}
      alt=""
      decoding="async"
      {...(look === null ? {} : { width: look.width_px, height: look.height_px })}
      onLoad={onLoad}
    />
  )
}

type HeartProps = { scene: SharedScene; isOn: boolean; isShown: boolean; onToggle: () => void }

function Heart({ scene: { name }, isOn, isShown, onToggle }: HeartProps) {
  return (
    <button type="button" className="shared-heart" aria-pressed={isOn} disabled={!isShown} onClick={onToggle}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 20.5 4.6 13a4.9 4.9 0 0 1 6.9-6.9l.5.5.5-.5a4.9 4.9 0 0 1 6.9 6.9z" />
      </svg>
      <span className="visually-hidden">I like {name}</span>
    </button>
  )
}
