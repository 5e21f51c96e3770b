/** What a frame is printed on, and how the light of the photo falls on it. */
import { MAX_FRAMES } from '@vitrine/photo'
import { useId, useState } from 'react'
import { Button, Field, Select } from '../../components/controls.tsx'
import { BodyFields } from './body-fields.tsx'
import { type BrushTarget, isSameTarget } from './brush.ts'
import {
  aspectRatioOf,
  type ChangePhoto,
  type PhotoDraft,
  type PhotoFrame,
  withFrame,
  withShape,
} from './photo-draft.ts'
import type { FrameLines } from './photo-messages.ts'
import { percent, Slider } from './slider.tsx'
import { startFrame } from './start-frames.ts'
import { KindChoice, kindWords } from './what-is-it.tsx'

type PhotoFramesPanelProps = {
  draft: PhotoDraft
  lines: readonly FrameLines[]
  selected: string | null
  onSelect: (id: string) => void
  onChange: ChangePhoto
  onRemove: (id: string) => void
  /** What is being brushed over; null: nothing is. */
  brushed: BrushTarget | null
  /** null: ends. */
  onBrush: (target: BrushTarget | null) => void
  /** Where the product that was brushed over tells. */
  onPropose: (frame: PhotoFrame) => void
}

export function PhotoFramesPanel(props: PhotoFramesPanelProps) {
  const { draft, lines, onChange, onSelect } = props
  const [isAdding, setAdding] = useState(false)
  return (
    <section className="stack-form" aria-label="Frames">
      {draft.frames.map((frame, index) => (
        <FrameFields key={frame.id} {...props} frame={frame} index={index} lines={lines[index]} />
      ))}
      {isAdding && (
        <fieldset className="overlay">
          <legend>What is the next one?</legend>
          <KindChoice
            disabled={false}
            onKind={kind => {
              const frame = startFrame(kind, draft, draft.frames.length)
              onChange(before => ({ ...before, frames: [...before.frames, frame] }), frame.id)
              onSelect(frame.id)
              setAdding(false)
            }}
          />
        </fieldset>
      )}
      {!isAdding && (
        <Button disabled={draft.frames.length >= MAX_FRAMES} onClick={() => setAdding(true)}>
          Add a frame
        </Button>
      )}
    </section>
  )
}

type FrameFieldsProps = Omit<PhotoFramesPanelProps, 'lines'> & {
  frame: PhotoFrame
  index: number
  lines: FrameLines | undefined
}

const surfaceOptions = [
  { value: 'paper', label: 'Paper, canvas, wood' },
  { value: 'fabric', label: 'Fabric' },
  { value: 'ceramic', label: 'Ceramic, metal, glossy plastic' },
  { value: 'glass', label: 'Paper behind glass' },
] as const

/** What no photo of such a surface tells; nothing in its pixels says so for sure. */
const limitsOf = {
  paper: 'Not for foil and film that mirrors: what one sees in it is no light on a surface.',
  fabric: 'Not for satin and sequins. Hard folds stay straight in the artwork, and so do patterns of the cloth.',
  ceramic: 'Not for clear glass and polished metal: what one sees in them is no light on a surface.',
  glass: 'For paper behind glass. What the glass mirrors sharply, such as a window, is only partly found.',
} as const

const kindOf = ({ kind }: PhotoFrame['shape']): string => kindWords[kind === 'cloth' ? 'shirt' : kind].name

function FrameFields(props: FrameFieldsProps) {
  const { draft, frame, index, selected, lines, onSelect, onChange, onRemove } = props
  const { id, shape, surface, gloss, color } = frame
  const change = (part: Partial<PhotoFrame>, gesture: string) =>
    onChange(before => withFrame(before, id, one => ({ ...one, ...part })), `${id}:${gesture}`)
  return (
    <fieldset
      className={id === selected ? 'panel frame-panel frame-panel-selected' : 'panel frame-panel'}
      onFocus={() => onSelect(id)}
    >
      <legend>
        Frame {index + 1}: {shape.kind === 'cloth' ? 'cloth' : kindOf(shape).toLowerCase()}
      </legend>
      <ProposeButton {...props} />
      {shape.kind === 'body' ? (
        <BodyFields {...{ id, shape, lines, onChange }} />
      ) : (
        <RatioField draft={draft} frame={frame} onRatio={aspectRatio => change({ aspectRatio }, 'ratio')} />
      )}
      {shape.kind === 'cloth' && (
        <Slider
          label="Bulge"
          value={shape.bulge}
          from={-0.3}
          to={0.3}
          step={0.01}
          words={percent(shape.bulge)}
          help="How much the middle swells towards the camera, as a cushion does."
          onChange={bulge =>
            onChange(before => withShape(before, id, 'cloth', one => ({ ...one, bulge })), `${id}:bulge`)
          }
        />
      )}
      {shape.kind === 'cloth' && <InsetField {...props} shape={shape} />}
      {shape.kind === 'cloth' && shape.pins.length > 0 && (
        <div>
          <Button
            className="button-small"
            onClick={() =>
              onChange(before => withShape(before, id, 'cloth', one => ({ ...one, pins: [] })), crypto.randomUUID())
            }
          >
            Flatten the grid
          </Button>
        </div>
      )}
      <Select
        label="Printed on"
        value={surface}
        onChange={event => {
          const chosen = surfaceOptions.find(({ value }) => value === event.currentTarget.value)
          if (chosen !== undefined) change({ surface: chosen.value, sheen: null }, 'surface')
        }}
        options={surfaceOptions}
      />
      <p className="field-help">{limitsOf[surface]}</p>
      <GroundFields frame={frame} onGround={change} />
      {color !== null && (
        <Slider
          label="Gloss"
          value={gloss}
          from={0}
          to={4}
          step={0.1}
          words={`${gloss.toFixed(1)} x`}
          help="Light that the surface mirrors lies above dark colours of the artwork."
          onChange={value => change({ gloss: value }, 'gloss')}
        />
      )}
      <FrontFields {...props} />
      {draft.frames.length > 1 && (
        <Button look="danger" className="button-small" onClick={() => onRemove(id)}>
          Remove frame {index + 1}
        </Button>
      )}
    </fieldset>
  )
}

/** A frame that is put where its product is, once that is brushed over. */
function ProposeButton({ draft, frame, index, brushed, onBrush, onPropose }: FrameFieldsProps) {
  const isBrushed = draft.product !== null
  // Flat frames are found without a brush.
  if (brushed === 'product' || (!isBrushed && frame.shape.kind === 'flat')) return null
  return (
    <div>
      <Button className="button-small" onClick={() => (isBrushed ? onPropose(frame) : onBrush('product'))}>
        {isBrushed ? 'Put it on the brushed product' : 'Find its place by a brush'}
        <span className="visually-hidden">: frame {index + 1}</span>
      </Button>
    </div>
  )
}

/** Of the photo's longer side: the widest seam that artwork keeps away from. */
const INSET_MAX_SHARE = 0.06

type InsetFieldProps = FrameFieldsProps & { shape: Extract<PhotoFrame['shape'], { kind: 'cloth' }> }

/** A print that ends before the piping of a cushion; only where its outline is known. */
function InsetField({ draft, frame: { id }, shape: { inset }, onChange }: InsetFieldProps) {
  if (draft.product === null)
    return (
      <p className="field-help">
        Artwork that ends before the seam of a cushion: brush over the cushion under Colours first.
      </p>
    )
  const most = Math.round(INSET_MAX_SHARE * Math.max(draft.widthPx, draft.heightPx))
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={inset !== null}
          onChange={event => {
            const first = event.currentTarget.checked ? 0 : null
            onChange(before => withShape(before, id, 'cloth', one => ({ ...one, inset: first })), `${id}:inset on`)
          }}
        />
        End at the outline of the product
      </label>
      {inset !== null && (
        <Slider
          label="Distance from its edge"
          value={inset}
          from={0}
          to={Math.max(most, inset)}
          step={1}
          words={`${Math.round(inset)} px`}
          help="So that artwork ends before the seam or the piping."
          onChange={value =>
            onChange(before => withShape(before, id, 'cloth', one => ({ ...one, inset: value })), `${id}:inset`)
          }
        />
      )}
    </>
  )
}

/** Leaves, fingers and cords that hide some of the artwork. */
function FrontFields({ frame, index, brushed, onBrush, onChange }: FrameFieldsProps) {
  const { id, front } = frame
  const target = { frameId: id }
  const isBrushing = brushed !== null && isSameTarget(brushed, target)
  return (
    <div className="stack-small">
      <p className="field-help">
        {front.length === 0
          ? 'Nothing is in front of the artwork.'
          : 'What was brushed over is in front of the artwork.'}
      </p>
      <div className="row">
        <Button
          className="button-small"
          look={isBrushing ? 'primary' : 'quiet'}
          onClick={() => onBrush(isBrushing ? null : target)}
        >
          {isBrushing ? 'Done brushing' : front.length === 0 ? 'Brush over what is in front' : 'Brush again'}
          <span className="visually-hidden"> of frame {index + 1}</span>
        </Button>
        {front.length > 0 && (
          <Button
            className="button-small"
            onClick={() =>
              onChange(before => withFrame(before, id, one => ({ ...one, front: [] })), crypto.randomUUID())
            }
          >
            Nothing is in front<span className="visually-hidden"> of frame {index + 1}</span>
          </Button>
        )}
      </div>
    </div>
  )
}

type RatioFieldProps = { draft: PhotoDraft; frame: PhotoFrame; onRatio: (ratio: number | null) => void }

function RatioField({ draft, frame, onRatio }: RatioFieldProps) {
  const isAutomatic = frame.aspectRatio === null
  return (
    <Field
      label="Width / height of the artwork"
      type="number"
      min={0.05}
      max={20}
      step={0.01}
      value={Number((aspectRatioOf(frame, draft) ?? 1).toFixed(3))}
      help={
        isAutomatic
          ? 'From the corners. Type a number to set it.'
          : 'Set by hand. Empty the field to take it from the corners.'
      }
      onChange={event => {
        const { valueAsNumber: ratio } = event.currentTarget
        if (event.currentTarget.value === '') onRatio(null)
        else if (ratio >= 0.05 && ratio <= 20) onRatio(ratio)
      }}
    />
  )
}

type GroundFieldsProps = {
  frame: PhotoFrame
  onGround: (part: Partial<PhotoFrame>, gesture: string) => void
}

const WHITE = '#ffffff'
/** Black shirts are rarely black. */
const DARK_CLOTH = '#37373b'

/** The colour of the product where it is printed. */
function GroundFields({ frame: { color, brightness, surface }, onGround }: GroundFieldsProps) {
  const id = useId()
  const choice = color === null ? 'auto' : color === WHITE ? 'white' : 'named'
  return (
    <>
      <Select
        label="Colour of the product"
        value={choice}
        onChange={event => {
          const { value } = event.currentTarget
          const named = surface === 'fabric' ? DARK_CLOTH : '#808080'
          onGround({ color: value === 'auto' ? null : value === 'white' ? WHITE : named }, 'ground')
        }}
        options={[
          { value: 'white', label: 'White' },
          { value: 'named', label: 'A colour that I name' },
          { value: 'auto', label: 'As the photo tells' },
        ]}
      />
      {choice === 'named' && (
        <div className="swatch-other">
          <input
            id={id}
            type="color"
            value={color ?? WHITE}
            onChange={event => onGround({ color: event.currentTarget.value }, 'color')}
          />
          <label htmlFor={id}>
            Its colour in plain daylight <code>{color}</code>
          </label>
        </div>
      )}
      {choice === 'auto' && (
        <Slider
          label="Brightness of prints"
          value={Math.log2(brightness)}
          from={-2}
          to={2}
          step={0.05}
          words={`${brightness.toFixed(2)} x`}
          help="On dark and coloured products: until white artwork looks as bright as a print would."
          onChange={value => onGround({ brightness: Number((2 ** value).toFixed(3)) }, 'brightness')}
        />
      )}
    </>
  )
}
