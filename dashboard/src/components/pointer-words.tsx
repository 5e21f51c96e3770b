/** Words for who points with a mouse and for who has fingers alone; one of the two is seen and read. */
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
