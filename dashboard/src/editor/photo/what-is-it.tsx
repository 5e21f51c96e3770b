/** Asks what a photo shows, and places the handles of that surface on it. */
import './photo.css'
import { Button } from '../../components/controls.tsx'
import { useObjectUrl } from '../../use-object-url.ts'
import { type ProductKind, productKinds } from './photo-draft.ts'

type KindWords = { readonly name: string; readonly examples: string; readonly icon: string }

export const kindWords: Readonly<Record<ProductKind, KindWords>> = {
  flat: { name: 'Flat', examples: 'Print, frame, card, screen', icon: 'M12 8h24v32H12zM16 12h16v24H16z' },
  body: {
    name: 'Round',
    examples: 'Mug, tumbler, can, bottle, candle',
    icon: 'M10 13c0-6 22-6 22 0v24c0 6-22 6-22 0zM10 13c0 5 22 5 22 0M32 18c9-2 9 16 0 14',
  },
  shirt: {
    name: 'Clothing',
    examples: 'Shirt, hoodie, banner, towel',
    icon: 'M18 8l-10 6 4 8 4-2v20h16V20l4 2 4-8-10-6c-2 5-10 5-12 0z',
  },
  cushion: {
    name: 'Soft',
    examples: 'Cushion, tote, pouch',
    icon: 'M9 10c10 4 20 4 30 0-4 10-4 18 0 28-10-4-20-4-30 0 4-10 4-18 0-28z',
  },
  warp: {
    name: 'Free shape',
    examples: 'Cap, shoe, bag, anything else',
    icon: 'M8 16c10-8 22 6 32-4v22c-10 10-22-4-32 6zM19 13v23M29 14v22M8 28c10-6 22 4 32-4',
  },
}

type WhatIsItProps = {
  photo: Blob
  onKind: (kind: ProductKind) => void
  /** Frames by hand, with blending modes. */
  onByHand: () => void
  isOpening: boolean
}

export function WhatIsIt({ photo, onKind, onByHand, isOpening }: WhatIsItProps) {
  const url = useObjectUrl(photo)
  return (
    <section className="what-is-it" aria-busy={isOpening}>
      {url !== null && <img src={url} alt="" className="what-is-it-photo" />}
      <h2>What is it?</h2>
      <KindChoice onKind={onKind} disabled={isOpening} />
      <p className="quiet">
        The artwork is lit and bent as the photo is. For a room with several frames, masks drawn by hand or blending
        modes:
      </p>
      <div>
        <Button onClick={onByHand} disabled={isOpening}>
          Set everything by hand
        </Button>
      </div>
    </section>
  )
}

type KindChoiceProps = { onKind: (kind: ProductKind) => void; disabled: boolean }

export function KindChoice({ onKind, disabled }: KindChoiceProps) {
  return (
    <ul className="kinds">
      {productKinds.map(kind => {
        const { name, examples, icon } = kindWords[kind]
        return (
          <li key={kind}>
            {/* Not disabled by the attribute, which would take the focus from the chosen one. */}
            <button
              type="button"
              className="kind"
              aria-disabled={disabled}
              onClick={() => {
                if (!disabled) onKind(kind)
              }}
            >
              <svg viewBox="0 0 48 48" aria-hidden="true">
                <path d={icon} />
              </svg>
              <strong>{name}</strong>
              <span className="quiet small">{examples}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
