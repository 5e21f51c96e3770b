/** Placement controls beside the picture: the choice of frames, every field, undo and redo. */
import type { Dispatch } from 'react'
import { Button, Select, SmallButton } from '../components/controls.tsx'
import { PointerWords } from '../components/pointer-words.tsx'
import { placementOf } from '../visit/placing.ts'
import { PlacementFields } from './placement-fields.tsx'
import type { PlacingAction, PlacingState } from './placing-state.ts'

type PlacingPanelProps = { state: PlacingState; dispatch: Dispatch<PlacingAction> }

export function PlacingPanel({ state, dispatch }: PlacingPanelProps) {
  const { past, present, future } = state.history
  const frame = state.selected ?? 0
  return (
    <details className="panel placing-panel" open>
      <summary>Placement</summary>
      <div className="stack-form">
        <p className="quiet small">
          <PointerWords
            fine="Choose the artwork on the picture: drag it, scroll or pinch to scale it, turn it by its round handle."
            coarse="Tap the artwork on the picture: move it with one finger, scale and turn it with two."
          />
        </p>
        {present.frames.length > 1 && <FrameChoice state={state} frame={frame} dispatch={dispatch} />}
        <PlacementFields
          key={frame}
          placement={placementOf(present, frame)}
          onChange={change => dispatch({ kind: 'place', frame, change })}
        />
        <div className="row">
          <Button
            className="button-small"
            onClick={() => dispatch({ kind: 'undo' })}
            disabled={past.length === 0}
            aria-keyshortcuts="Control+Z"
          >
            Undo
          </Button>
          <Button
            className="button-small"
            onClick={() => dispatch({ kind: 'redo' })}
            disabled={future.length === 0}
            aria-keyshortcuts="Control+Shift+Z"
          >
            Redo
          </Button>
          <SmallButton label="Reset" of="the placement" onClick={() => dispatch({ kind: 'reset', frame })} />
        </div>
      </div>
    </details>
  )
}

function FrameChoice({ state, frame, dispatch }: PlacingPanelProps & { frame: number }) {
  const { frames, isShared } = state.history.present
  return (
    <div className="row">
      <Select
        label="Frames"
        value={isShared ? 'together' : 'apart'}
        onChange={event => dispatch({ kind: 'share', isShared: event.currentTarget.value === 'together', frame })}
        options={[
          { value: 'together', label: 'One placement for all' },
          { value: 'apart', label: 'Each separately' },
        ]}
      />
      {!isShared && (
        <Select
          label="Frame"
          value={String(frame)}
          onChange={event => dispatch({ kind: 'select', frame: Number(event.currentTarget.value) })}
          options={frames.map((_, index) => ({ value: String(index), label: `Frame ${index + 1}` }))}
        />
      )}
    </div>
  )
}
