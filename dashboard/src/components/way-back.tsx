import './way-back.css'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A link from a page back to its list. */
export function WayBack({ children, ...link }: Pick<LinkProps, 'to' | 'params'> & { children: ReactNode }) {
  return (
    <nav aria-label="Back" className="way-back">
      <Link {...link}>
        <span aria-hidden="true">← </span>
        {children}
      </Link>
    </nav>
  )
}
