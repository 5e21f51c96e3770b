/** The layout of pages for signed-out visitors: a form with a mockup beside it. */
import './signed-out-page.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export function SignedOutPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="signed-out">
      <div className="signed-out-form">
        <Link to="/sign-in" className="brand">
          Vitrine
        </Link>
        <h1>{title}</h1>
        {children}
      </div>
      <img
        className="signed-out-picture"
        src="/sample-mockup.webp"
        width={900}
        height={1125}
        alt="A framed print of a sunset on a sunlit wall, made from a picture file by Vitrine"
      />
    </main>
  )
}
