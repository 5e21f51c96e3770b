/** A checkbox that is on, off or mixed. */
import { useEffect, useRef } from 'react'
import type { TabIndex } from '../components/use-tab-stop.ts'
import type { Share } from '../visit/picks.ts'

type TickProps = { share: Share; tabIndex?: TabIndex; onChange: () => void }

export function Tick({ share, tabIndex = 0, onChange }: TickProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = share === 'some'
  }, [share])
  return <input ref={box} type="checkbox" tabIndex={tabIndex} checked={share === 'all'} onChange={onChange} />
}
