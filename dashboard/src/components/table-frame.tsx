import './table-frame.css'
import type { ReactNode } from 'react'

/** A table that scrolls sideways where it must, and becomes cards on a phone. */
export function TableFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className="table-scroll table-cards" tabIndex={0} role="region" aria-label={label}>
      <table>{children}</table>
    </div>
  )
}
