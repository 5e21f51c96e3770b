import type { ReactNode } from 'react'

export function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      {children}
    </>
  )
}
