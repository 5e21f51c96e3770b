import './way-back.css'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The way from a page to the list that it is of. */
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
