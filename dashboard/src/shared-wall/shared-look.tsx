/** One scene of a link by itself: a finger moves the artwork, two scale and turn it. */
import type { SharedScene } from '@vitrine/contract'
import { type ComponentProps, useEffect, useRef } from 'react'
import { ColorSwatches } from '../coloring/color-swatches.tsx'
import type { ProductColors } from '../coloring/product-colors.ts'
import { LiveTile } from '../wall/live-tile.tsx'

type SharedLookProps = {
  scene: SharedScene
  tile: Omit<ComponentProps<typeof LiveTile>, 'keysHelp' | 'onOpen' | 'children'>
  isHearted: boolean
  onColors: (colors: ProductColors) => void
  onStep: (by: -1 | 1) => void
  onClose: () => void
}

export function SharedLook({ scene, tile, isHearted, onColors, onStep, onClose }: SharedLookProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { dispatch } = tile
  return (
    <dialog ref={dialog} className="look shared-look" aria-label={scene.name} onClose={onClose}>
      <div className="shared-look-scene">
        <LiveTile
          key={scene.id}
          {...tile}
          isTouchable
          keysHelp="Shift and the arrow keys move the picture, + and − scale it, Space marks the scene with a heart."
          onOpen={() => undefined}
        />
      </div>
      <div className="stack-form">
        <h2>{scene.name}</h2>
        <p className="quiet">Drag the picture to move it; pinch, or press + and −, to scale it.</p>
        <div className="row">
          <button
            type="button"
            className="button button-quiet"
            aria-pressed={isHearted}
            onClick={() => tile.onMark(scene.id)}
          >
            {isHearted ? '♥ Liked' : '♡ I like it'}
          </button>
          <button
            type="button"
            className="button button-quiet"
            onClick={() => dispatch({ kind: 'reset', template: scene })}
          >
            Back to the middle
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
