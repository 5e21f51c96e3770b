/** Separate texts for mouse and for touch screens; only one is shown and read aloud. */
import './pointer-words.css'
import type { ReactNode } from 'react'

export function PointerWords({ fine, coarse }: { fine: ReactNode; coarse: ReactNode }) {
  return (
    <>
      <span className="for-mouse">{fine}</span>
      <span className="for-fingers">{coarse}</span>
    </>
  )
}
