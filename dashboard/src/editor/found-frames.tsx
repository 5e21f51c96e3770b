/** Areas of the photo that may be frames: a click or Enter on one makes it a frame. */
import { isInside, type Quad } from './quad.ts'
import { pointsOf } from './stage-frame.tsx'

type FoundFramesProps = { found: readonly Quad[]; onTake: (quad: Quad) => void }

/** Those inside an area that lie in no other one inside it. */
function openingsOf(quad: Quad, found: readonly Quad[]): readonly Quad[] {
  const inner = found.filter(other => isInside(other, quad))
  return inner.filter(one => !inner.some(other => isInside(one, other)))
}

/** Of an area with others inside, only what they leave can be clicked. */
export function FoundFrames({ found, onTake }: FoundFramesProps) {
  return found.map((quad, index) => (
    // biome-ignore lint/a11y/useSemanticElements: a shape of the picture
    <path
      key={pointsOf(quad)}
      className="found-frame"
      d={[quad, ...openingsOf(quad, found)].map(each => `M${pointsOf(each)}Z`).join('')}
      fillRule="evenodd"
      tabIndex={0}
      role="button"
      aria-label={`Make a frame of area ${index + 1} of ${found.length}`}
      onPointerDown={event => event.stopPropagation()}
      onClick={() => onTake(quad)}
      onKeyDown={event => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onTake(quad)
      }}
    />
  ))
}
