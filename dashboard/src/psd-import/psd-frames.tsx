/** Which smart objects become frames, and how exactly each of them is shown. */
import type { PsdImport, PsdImportReport } from '@vitrine/contract'
import { useState } from 'react'
import { Button } from '../components/controls.tsx'

type Frame = PsdImportReport['frames'][number]

const verdicts: Readonly<Record<NonNullable<Frame['check']>['verdict'], string>> = {
  same: 'as in Photoshop',
  close: 'close to Photoshop',
  different: 'different from Photoshop',
}

/** One sentence about a frame. */
export function describeFrame({ width, height, kind, patches, blending_mode, has_mask, check, reason }: Frame): string {
  const shape = kind === 'corners' ? 'four corners' : `a warp of ${patches} ${patches === 1 ? 'patch' : 'patches'}`
  const facts = [
    `${Math.round(width)} × ${Math.round(height)} pixels`,
    shape,
    blending_mode,
    has_mask ? 'with a mask' : '',
  ]
  const told = facts.filter(Boolean).join(', ')
  if (check === null) return `${told}. Not compared: ${reason ?? 'there is nothing to compare with'}.`
  const { verdict, blurred_mean, share_above_8 } = check
  const figures = `mean difference ${blurred_mean.toFixed(2)} of 255, ${(share_above_8 * 100).toFixed(1)} % of the pixels differ by more than 8`
  return `${told}. It looks ${verdicts[verdict]}: ${figures}.`
}

type Choice = { readonly name: string; readonly frames: readonly Frame[] }

/** Every smart object by its name: objects of one name are chosen together. */
function choicesOf({ report, choices }: PsdImport): Choice[] {
  const frames = Map.groupBy(report?.frames ?? [], ({ name }) => name)
  const names = [...frames.keys(), ...(report?.other_smart_objects ?? choices)]
  return [...new Set(names)].map(name => ({ name, frames: frames.get(name) ?? [] }))
}

/** Fields of a form: each chosen name is its `frame`. */
export function PsdFrames({ psd }: { psd: PsdImport }) {
  const choices = choicesOf(psd)
  const before = new Set(psd.report === null ? psd.chosen : psd.report.frames.map(({ name }) => name))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(before)
  const isChanged = choices.some(({ name }) => chosen.has(name) !== before.has(name))
  const toggle = (name: string) =>
    setChosen(now => (now.has(name) ? new Set([...now].filter(each => each !== name)) : new Set([...now, name])))
  return (
    <fieldset className="psd-frames">
      <legend>Where artwork goes</legend>
      {choices.map(({ name, frames }) => (
        <div key={name}>
          <label className="check">
            <input type="checkbox" name="frame" value={name} checked={chosen.has(name)} onChange={() => toggle(name)} />
            {name}
          </label>
          {frames.map((frame, index) => (
            // Frames of one name have nothing else that tells them apart.
            <p key={index} className="quiet">
              {describeFrame(frame)}
            </p>
          ))}
        </div>
      ))}
      {isChanged && (
        <Button look="primary" type="submit" disabled={chosen.size === 0}>
          Convert again with {chosen.size === 1 ? 'this frame' : `these ${chosen.size} frames`}
        </Button>
      )}
    </fieldset>
  )
}
