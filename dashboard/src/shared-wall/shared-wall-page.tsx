import type { SharedWall } from '@vitrine/contract'
import { useEffect, useState } from 'react'
import { ApiError } from '../api.ts'
import { asError } from '../as-error.ts'
import { formatMoment } from '../format.ts'
import { type KeptAnswer, loadAnswer } from './kept-answer.ts'
import { SharedScenes } from './shared-scenes.tsx'
import { loadSharedWall, loadShownArtwork } from './shared-wall-api.ts'

type Loaded = { readonly wall: SharedWall; readonly shown: File | null; readonly kept: KeptAnswer }

const nothingKept: KeptAnswer = { chosen: null, own: null }
type State =
  | { readonly kind: 'loading' }
  | ({ readonly kind: 'loaded' } & Loaded)
  | { readonly kind: 'failed'; readonly error: Error }

async function load(): Promise<Loaded> {
  const wall = await loadSharedWall()
  const shown = wall.artwork && (await loadShownArtwork(wall.artwork))
  return { wall, shown, kept: await loadAnswer(location.pathname).catch(() => nothingKept) }
}

export function SharedWallPage() {
  const [state, setState] = useState<State>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    let isLeft = false
    const take = (next: State) => {
      if (!isLeft) setState(next)
    }
    load().then(
      loaded => {
        document.title = `${loaded.wall.title} – ${loaded.wall.shop_name}`
        take({ kind: 'loaded', ...loaded })
      },
      (error: unknown) => take({ kind: 'failed', error: asError(error) }),
    )
    return () => {
      isLeft = true
    }
  }, [attempt])
  if (state.kind === 'loaded') {
    const { wall, shown, kept } = state
    return (
      <main className="shared-wall">
        <header className="shared-head">
          <p className="brand">{wall.shop_name}</p>
          <h1>{wall.title}</h1>
          <p className="quiet">
            Drawn in your browser. What you choose here stays on your device until you press Send. This link works until{' '}
            {formatMoment(wall.expires_at)}.
          </p>
        </header>
        <SharedScenes wall={wall} shown={shown} kept={kept} />
      </main>
    )
  }
  if (state.kind === 'loading')
    return (
      <main className="shared-wall">
        <p role="status">Loading…</p>
      </main>
    )
  const hasEnded = state.error instanceof ApiError && state.error.status === 404
  return (
    <main className="shared-wall">
      <h1>{hasEnded ? 'This link has ended' : 'This page could not be loaded'}</h1>
      <p role="alert">
        {hasEnded ? 'Ask the shop that sent it for a new one.' : state.error.message}{' '}
        {state.error instanceof ApiError && !hasEnded && state.error.hint}
      </p>
      {!hasEnded && (
        <button type="button" className="button button-quiet" onClick={() => setAttempt(before => before + 1)}>
          Try again
        </button>
      )}
    </main>
  )
}
