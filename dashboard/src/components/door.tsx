/** The frame of the pages before a sign-in: the form, and what the service makes beside it. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export function Door({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="door">
      <div className="door-form">
        <Link to="/sign-in" className="brand">
          Vitrine
        </Link>
        <h1>{title}</h1>
        {children}
      </div>
      <img
        className="door-picture"
        src="/door.webp"
        width={900}
        height={1125}
        alt="A framed print of a sunset on a sunlit wall, made from a picture file by Vitrine"
      />
    </main>
  )
}
