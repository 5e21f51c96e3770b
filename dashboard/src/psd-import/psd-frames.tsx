/** Which smart objects become frames, and how exactly each of them is shown. */
import type { PsdImport, PsdImportReport, PsdRun } from '@vitrine/contract'
import { slugOf } from '@vitrine/engine'
import { useState } from 'react'
import { Button, Check } from '../components/controls.tsx'
import { counted } from '../format.ts'
import { PsdPlaces } from './psd-places.tsx'

type Frame = PsdImportReport['frames'][number]

const verdicts: Readonly<Record<NonNullable<Frame['check']>['verdict'], string>> = {
  same: 'as in Photoshop',
  close: 'close to Photoshop',
  different: 'different from Photoshop',
}

/** One sentence about a frame. */
export function describeFrame({ width, height, kind, patches, blending_mode, has_mask, check, reason }: Frame): string {
  const shape = kind === 'corners' ? 'four corners' : `a warp of ${counted(patches, 'patch', 'patches')}`
  const facts = [
    `${Math.round(width)} × ${Math.round(height)} pixels`,
    shape,
    blending_mode,
    has_mask ? 'with a mask' : '',
  ]
  const told = facts.filter(Boolean).join(', ')
  if (check === null) return `${told}. Not compared: ${reason ?? 'there is nothing to compare with'}.`
  return `${told}. ${describeCheck(check)}`
}

/** One sentence about a colour. */
function describeColor({ name, default: value, check }: PsdImportReport['colors'][number]): string {
  return `“${name}” in requests, ${value} without one. ${check === null ? 'Not compared.' : describeCheck(check)}`
}

function describeCheck({ verdict, blurred_mean, share_above_8 }: NonNullable<Frame['check']>): string {
  const figures = `mean difference ${blurred_mean.toFixed(2)} of 255, ${(share_above_8 * 100).toFixed(1)} % of the pixels differ by more than 8`
  return `It looks ${verdicts[verdict]}: ${figures}.`
}

type Choice = { readonly name: string; readonly frames: readonly Frame[] }

/** What is said of frames of one name, once where it is the same of several. */
function sentencesOf({ frames }: Choice): string[] {
  const told = frames.map(frame => `${describeFrame(frame)} Chosen because ${frame.chosen_because}.`)
  return [...Map.groupBy(told, sentence => sentence)].map(([sentence, { length }]) =>
    length === 1 ? sentence : `${length} of them: ${sentence}`,
  )
}

/** Every smart object by its name: objects of one name are chosen together. */
function choicesOf({ report, choices }: PsdImport): Choice[] {
  const frames = Map.groupBy(report?.frames ?? [], ({ name }) => name)
  const names = [...frames.keys(), ...(report?.other_smart_objects ?? choices)]
  return [...new Set(names)].map(name => ({ name, frames: frames.get(name) ?? [] }))
}

/** Layers of one colour as colours of the template: their names are made of those of the layers. */
export function nameColors(layers: readonly string[]): PsdRun['colors'] {
  const taken = new Set<string>()
  return layers.map(layer => {
    const base = slugOf(layer, { maxLength: 28, letterFirst: true }) || 'color'
    let name = base
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`
    taken.add(name)
    return { name, layer }
  })
}

/** Ticks that are kept until they are sent, and whether any differs from how it was. */
function useTicks(before: ReadonlySet<string>) {
  const [ticked, setTicked] = useState(before)
  const toggle = (name: string) =>
    setTicked(now => (now.has(name) ? new Set([...now].filter(each => each !== name)) : new Set([...now, name])))
  return { ticked, toggle, isChanged: ticked.size !== before.size || [...ticked].some(name => !before.has(name)) }
}

/** Fields of a form: each chosen name is its `frame`, each chosen layer of one colour its `color`. */
export function PsdFrames({ psd }: { psd: PsdImport }) {
  const choices = choicesOf(psd)
  const { report } = psd
  const frames = useTicks(new Set(report === null ? psd.chosen : report.frames.map(({ name }) => name)))
  const colors = useTicks(new Set(report?.colors.map(({ layer }) => layer)))
  const layers = [...new Set([...(report?.colors ?? []).map(({ layer }) => layer), ...(report?.other_colors ?? [])])]
  return (
    <div className="stack">
      <fieldset className="psd-frames">
        <legend>Where artwork goes</legend>
        <PsdPlaces psd={psd} ticked={frames.ticked} toggle={frames.toggle} />
        {choices.map(choice => (
          <div key={choice.name}>
            <Tick field="frame" name={choice.name} ticks={frames} />
            {sentencesOf(choice).map(sentence => (
              <p key={sentence} className="quiet">
                {sentence}
              </p>
            ))}
          </div>
        ))}
      </fieldset>
      {layers.length > 0 && (
        <fieldset className="psd-frames">
          <legend>Colours that requests may change</legend>
          {layers.map(layer => (
            <div key={layer}>
              <Tick field="color" name={layer} ticks={colors} />
              {report?.colors
                .filter(color => color.layer === layer)
                .map(color => (
                  <p key={color.name} className="quiet">
                    {describeColor(color)}
                  </p>
                ))}
            </div>
          ))}
        </fieldset>
      )}
      {(report === null || frames.isChanged || colors.isChanged) && (
        <div className="row">
          <Button look="primary" type="submit" disabled={frames.ticked.size === 0}>
            {frames.ticked.size === 0 ? 'Tick where artwork goes' : convertWith(frames.ticked.size, colors.ticked.size)}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What the button says. */
function convertWith(frameCount: number, colorCount: number): string {
  const frames = frameCount === 1 ? 'this frame' : `these ${frameCount} frames`
  if (colorCount === 0) return `Convert again with ${frames}`
  return `Convert again with ${frames} and ${colorCount === 1 ? 'this colour' : `these ${colorCount} colours`}`
}

function Tick({ field, name, ticks }: { field: string; name: string; ticks: ReturnType<typeof useTicks> }) {
  return (
    <Check name={field} value={name} checked={ticks.ticked.has(name)} onChecked={() => ticks.toggle(name)}>
      {name}
    </Check>
  )
}
