/** Where the smart objects lie in the picture, each to be ticked there. */
import type { PsdImport } from '@vitrine/contract'
import { placeLabels } from './label-places.ts'
import { pictureUrl } from './psd-compare.tsx'

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`

export function PsdPlaces({
  psd,
  ticked,
  toggle,
}: {
  psd: PsdImport
  ticked: ReadonlySet<string>
  toggle: (name: string) => void
}) {
  // Without a comparison Photoshop saved no picture to show them on.
  const places = psd.has_comparison ? (psd.report?.smart_objects ?? []) : psd.places
  const objects = places.filter(({ outline }) => outline.length > 0)
  if (objects.length === 0) return null
  return (
    <figure className="psd-places" aria-label="Smart objects in the picture">
      <img src={pictureUrl(psd, 'photoshop')} alt="Where the smart objects lie" />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {objects.map(({ name, outline }, index) => (
          <polygon
            key={index}
            data-ticked={ticked.has(name)}
            points={outline.map(point => point.join(',')).join(' ')}
            onClick={() => toggle(name)}
          />
        ))}
      </svg>
      {placeLabels(objects).map(({ name, at: [x, y] }, index) => (
        <button
          key={index}
          type="button"
          className="psd-place"
          aria-pressed={ticked.has(name)}
          onClick={() => toggle(name)}
          ref={shown => {
            shown?.style.setProperty('left', percent(x))
            shown?.style.setProperty('top', percent(y))
          }}
        >
          {ticked.has(name) ? '✓ ' : ''}
          {name}
        </button>
      ))}
    </figure>
  )
}
