/** Photoshop's picture and ours, one over the other with a slider, or their difference. */
import { type PsdImport, type psdPictures } from '@vitrine/contract'
import { useState } from 'react'
import { Check } from '../components/controls.tsx'
import { Slider } from '../components/slider.tsx'

export const pictureUrl = ({ id, run }: PsdImport, picture: (typeof psdPictures)[number]): string =>
  `/dashboard/api/imports/${encodeURIComponent(id)}/runs/${run}/${picture}`

export function PsdCompare({ psd }: { psd: PsdImport }) {
  const [percent, setPercent] = useState(50)
  const [isDifference, setDifference] = useState(false)
  return (
    <figure className="psd-compare">
      <div className="psd-pictures">
        <img src={pictureUrl(psd, 'ours')} alt="The template with the file’s own design, drawn by Vitrine" />
        {isDifference ? (
          <img src={pictureUrl(psd, 'difference')} alt="The difference of both pictures, eight times enlarged" />
        ) : (
          <>
            <img
              src={pictureUrl(psd, 'photoshop')}
              alt="The picture that Photoshop saved in the file"
              ref={shown => shown?.style.setProperty('clip-path', `inset(0 ${100 - percent}% 0 0)`)}
            />
            <span className="psd-edge" ref={edge => edge?.style.setProperty('left', `${percent}%`)} />
          </>
        )}
      </div>
      <figcaption className="psd-caption">
        <span>
          {isDifference
            ? 'Black: no difference. Differences are eight times as bright as they are.'
            : 'Left: Photoshop. Right: Vitrine.'}
        </span>
        <Slider
          label="Share of Photoshop’s picture"
          hideLabel
          from={0}
          to={100}
          step={1}
          value={percent}
          words={`${percent} %`}
          disabled={isDifference}
          onChange={setPercent}
        />
        <Check checked={isDifference} onChecked={setDifference}>
          Show the difference
        </Check>
      </figcaption>
    </figure>
  )
}
