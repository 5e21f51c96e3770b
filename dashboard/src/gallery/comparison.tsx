/** A slider over a scene: the placed artwork on the left, another artwork or the empty scene on the right. */
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import type { ProductColors } from '../coloring/product-colors.ts'
import { Select } from '../components/controls.tsx'
import { Slider } from '../components/slider.tsx'
import { TemplatePicture } from '../components/template-picture.tsx'
import { useScene } from '../scenes/use-scene.ts'

/** `with`: null is the scene without artwork. `share`: the percentage of the width left of the divider. */
export type Comparison = { readonly with: File | null; readonly share: number }

const NONE = 'none'
const SCENE = 'scene'
const BEGIN_SHARE = 50

type ComparisonChoiceProps = {
  others: readonly File[]
  comparison: Comparison | null
  onChange: (comparison: Comparison | null) => void
}

export function ComparisonChoice({ others, comparison, onChange }: ComparisonChoiceProps) {
  const chosen = comparison === null ? NONE : comparison.with === null ? SCENE : `${others.indexOf(comparison.with)}`
  const choose = (value: string) => {
    if (value === NONE) return onChange(null)
    const share = comparison?.share ?? BEGIN_SHARE
    onChange({ with: value === SCENE ? null : (others[Number(value)] ?? null), share })
  }
  return (
    <>
      <Select
        label="Compare with"
        value={chosen}
        onChange={event => choose(event.currentTarget.value)}
        options={[
          { value: NONE, label: 'Nothing' },
          { value: SCENE, label: 'Scene without artwork' },
          ...others.map((file, index) => ({ value: `${index}`, label: file.name })),
        ]}
      />
      {comparison !== null && (
        <Slider
          label="Position of the divider"
          from={0}
          to={100}
          step={1}
          value={comparison.share}
          words={`${comparison.share} % from the left`}
          onChange={share => onChange({ ...comparison, share })}
        />
      )}
    </>
  )
}

type ComparedProps = {
  comparison: Comparison
  template: DashboardTemplate
  placement: Placement
  colors: ProductColors
}

/** Covers the scene from the divider to the right. */
export function Compared({ comparison, template, placement, colors }: ComparedProps) {
  const pack = template.packs.at(-1)
  const { canvas, place, state } = useScene({ pack, artwork: comparison.with, placement, colors })
  return (
    <>
      <div ref={place} className="compared" style={{ clipPath: `inset(0 0 0 ${comparison.share}%)` }}>
        <TemplatePicture template={template} alt="" />
        <canvas ref={canvas} className="tile-canvas" hidden={state.kind !== 'shown'} aria-hidden="true" />
      </div>
      <span className="compared-edge" style={{ left: `${comparison.share}%` }} aria-hidden="true" />
    </>
  )
}
