/** Parts of the product whose colour customers choose. */
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Button, Field, SmallButton } from '../components/controls.tsx'
import type { DraftArea } from './draft.ts'
import { errorAt } from './faults-of-draft.ts'
import { colorUnderMask } from './mask-picture.ts'
import { MaskButtons, PolygonTools, type ShapesPanelProps } from './mask-tools.tsx'
import { SuggestionsField } from './suggestions-field.tsx'

const AREAS_MAX = 8

export function AreasPanel(props: ShapesPanelProps) {
  const { draft, onChange } = props
  const add = () => {
    const area: DraftArea = {
      id: crypto.randomUUID(),
      name: draft.areas.length === 0 ? 'product' : `part-${draft.areas.length + 1}`,
      default: '#ffffff',
      mask: { kind: 'none' },
      suggestions: [],
      kept: {},
    }
    onChange(before => ({ ...before, areas: [...before.areas, area] }), area.id)
  }
  return (
    <section className="panel stack-form" aria-labelledby="colors">
      <h2 id="colors">Colours</h2>
      <p className="field-help">
        Parts of the product whose colour customers choose. The photo shows the product in white or grey.
      </p>
      {draft.areas.map((area, index) => (
        <AreaPanel key={area.id} {...props} area={area} index={index} />
      ))}
      {draft.areas.length < AREAS_MAX && (
        <div>
          <Button onClick={add}>Add a part</Button>
        </div>
      )}
    </section>
  )
}

type AreaPanelProps = ShapesPanelProps & { area: DraftArea; index: number }

function AreaPanel(props: AreaPanelProps) {
  const { draft, faults, area, index, selected, onSelect, onChange } = props
  const change = (part: Partial<DraftArea>, gesture: string) =>
    onChange(
      before => ({ ...before, areas: before.areas.map(one => (one.id === area.id ? { ...one, ...part } : one)) }),
      gesture,
    )
  const takeFromPhoto = async () => {
    try {
      const found = await colorUnderMask(area.mask, draft.photo, draft)
      if (found === null) announce('Draw the part first.')
      else change({ default: found }, crypto.randomUUID())
    } catch (failure) {
      announce(asError(failure).message)
    }
  }
  return (
    <fieldset
      className={area.id === selected ? 'overlay frame-panel-selected' : 'overlay'}
      onFocus={() => onSelect(area.id)}
    >
      <legend>Part {index + 1}</legend>
      <Field
        label="Name in requests"
        value={area.name}
        error={errorAt(faults, `area ${index}`)}
        maxLength={32}
        onChange={event => change({ name: event.currentTarget.value.toLowerCase() }, `${area.id}:name`)}
      />
      <Field
        label="Its colour in the photo"
        type="color"
        value={area.default}
        onChange={event => change({ default: event.currentTarget.value }, `${area.id}:default`)}
      />
      <SmallButton label="Take it from the photo" of={`for part ${index + 1}`} onClick={() => void takeFromPhoto()} />
      <AreaMask {...props} onMask={mask => change({ mask }, crypto.randomUUID())} />
      <SuggestionsField
        suggestions={area.suggestions}
        onChange={suggestions => change({ suggestions }, `${area.id}:suggestions`)}
      />
      <Button
        look="danger"
        className="button-small"
        onClick={() =>
          onChange(
            before => ({ ...before, areas: before.areas.filter(({ id }) => id !== area.id) }),
            crypto.randomUUID(),
          )
        }
      >
        Remove part {index + 1}
      </Button>
    </fieldset>
  )
}

type AreaMaskProps = AreaPanelProps & { onMask: (mask: DraftArea['mask']) => void }

function AreaMask({ draft, area, index, onStartPolygon, polygon, onMask }: AreaMaskProps) {
  const { drawing } = draft
  if (drawing?.frameId === area.id)
    return <PolygonTools around="the part" pointCount={drawing.points.length} polygon={polygon} />
  return (
    <MaskButtons of={`part ${index + 1}`} mask={area.mask} onDraw={() => onStartPolygon(area.id)} onMask={onMask}>
      {area.mask.kind === 'none' ? 'Draw the part' : 'Draw more of it'}
      <span className="visually-hidden"> {index + 1}</span>
    </MaskButtons>
  )
}
