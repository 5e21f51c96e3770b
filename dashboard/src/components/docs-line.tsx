import type { ReactNode } from 'react'

/** Under a piece of code: where the rest is said. */
export function DocsLine({ children }: { children?: ReactNode }) {
  return (
    <p className="quiet">
      Every parameter and every error: <a href="/docs">the documentation</a>, with batches of templates and samples in
      other languages. {children}
    </p>
  )
}
