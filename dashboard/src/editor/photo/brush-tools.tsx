/** Whether the brush adds or removes, and how thick it is. */
import { Button } from '../../components/controls.tsx'
import { Slider } from '../../components/slider.tsx'
import { radiusRange, withRadius } from './brush.ts'
import type { PhotoDraft } from './photo-draft.ts'
import type { Brushing } from './use-brush.ts'

export function BrushTools({ draft, brushing }: { draft: PhotoDraft; brushing: Brushing }) {
  const { brush, onBrush, onEnd } = brushing
  const { radiusPx, erases } = brush
  const { from, to } = radiusRange(draft)
  return (
    <div className="row brush-tools" role="group" aria-label="Brush">
      {[false, true].map(isEraser => (
        <Button
          key={String(isEraser)}
          className="button-small"
          look={erases === isEraser ? 'primary' : 'quiet'}
          aria-pressed={erases === isEraser}
          aria-keyshortcuts="X"
          onClick={() => onBrush({ ...brush, erases: isEraser })}
        >
          {isEraser ? 'Take away' : 'Add'}
        </Button>
      ))}
      <Slider
        label={`Brush size: ${Math.round(2 * radiusPx)} px`}
        value={Math.log(radiusPx)}
        from={Math.log(from)}
        to={Math.log(to)}
        step={0.02}
        words={`${Math.round(2 * radiusPx)} px`}
        onChange={value => onBrush(withRadius(brush, Math.exp(value), draft))}
      />
      <Button className="button-small" onClick={onEnd}>
        Done
      </Button>
    </div>
  )
}
