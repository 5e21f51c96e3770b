/** One scene of a proof, enlarged: one finger moves the artwork, two scale and turn it. */
import { useEffect, useRef } from 'react'
import { ColorSwatches } from '../coloring/color-swatches.tsx'
import type { ProductColors } from '../coloring/product-colors.ts'
import { PointerWords } from '../components/pointer-words.tsx'
import { LiveTile } from '../scenes/live-tile.tsx'
import { type SharedTileProps, Still } from './shared-tile.tsx'
import { useHeart } from './use-heart.ts'

type SharedLookProps = Omit<SharedTileProps, 'onOpen'> & {
  onColors: (colors: ProductColors) => void
  onStep: (by: -1 | 1) => void
  onClose: () => void
}

export function SharedLook(props: SharedLookProps) {
  const { scene, isAsSent, shown, isHearted, onHeart, onColors, onStep, onClose, ...tile } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { dispatch } = tile
  const heart = useHeart(shown, scene.id, onHeart)
  return (
    <dialog ref={dialog} className="look shared-look" aria-label={scene.name} onClose={onClose}>
      <div className="shared-look-scene">
        <LiveTile
          key={scene.id}
          {...tile}
          template={scene}
          below={<Still scene={scene} path={isAsSent ? scene.still_path : null} />}
          widthPx={null}
          isTouchable
          keysHelp="Shift and the arrow keys move the picture, + and − scale it, Space marks the scene with a heart."
          onMark={heart.toggle}
          onOpen={() => undefined}
        />
      </div>
      <div className="stack-form">
        <h2>{scene.name}</h2>
        <p className="quiet">
          <PointerWords
            fine="Drag the picture to move it. Scroll over it, or press + and −, to scale it."
            coarse="Move the picture with one finger; scale and turn it with two."
          />
        </p>
        <div className="row">
          <button
            type="button"
            className="button button-quiet"
            aria-pressed={isHearted}
            disabled={!heart.isShown}
            onClick={heart.toggle}
          >
            {isHearted ? '♥ Liked' : '♡ I like it'}
          </button>
          <button
            type="button"
            className="button button-quiet"
            onClick={() => dispatch({ kind: 'reset', template: scene })}
          >
            Reset
          </button>
        </div>
        <ColorSwatches areas={scene.colors} colors={tile.colors} onChange={onColors} />
        <div className="row">
          <button type="button" className="button button-quiet" onClick={() => onStep(-1)}>
            Previous
          </button>
          <button type="button" className="button button-quiet" onClick={() => onStep(1)}>
            Next
          </button>
          <button type="button" className="button button-primary" onClick={() => dialog.current?.close()}>
            Done
          </button>
        </div>
      </div>
    </dialog>
  )
}
