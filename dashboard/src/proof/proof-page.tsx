import type { SharedProof } from '@vitrine/contract'
import { useEffect, useState } from 'react'
import { ApiError } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { formatMoment } from '../format.ts'
import { LastAnswer } from './answer-form.tsx'
import { firstStill, loadSharedProof, loadShownArtwork } from './proof-api.ts'
import { loadAnswer, type SavedAnswer } from './saved-answer.ts'
import { SharedScenes } from './shared-scenes.tsx'

type Loaded = { readonly proof: SharedProof; readonly saved: SavedAnswer }

const nothingSaved: SavedAnswer = { chosen: null, own: null }
type State =
  | { readonly kind: 'loading' }
  | ({ readonly kind: 'loaded' } & Loaded)
  | { readonly kind: 'failed'; readonly error: Error }

async function load(): Promise<Loaded> {
  const saved = loadAnswer(location.pathname).catch(() => nothingSaved)
  return { proof: await loadSharedProof(), saved: await saved }
}

/** The shop's artwork. It may be large; meanwhile the scenes show their stills. */
function useShownArtwork({ artwork }: SharedProof): File | null {
  const [shown, setShown] = useState<File | null>(null)
  useEffect(() => {
    if (artwork === null) return
    let isLeft = false
    loadShownArtwork(artwork).then(
      file => {
        if (!isLeft) setShown(file)
      },
      () => announce('The picture could not be loaded. You see the scenes as they were sent; reload to move it.'),
    )
    return () => {
      isLeft = true
    }
  }, [artwork])
  return shown
}

export function ProofPage() {
  const [state, setState] = useState<State>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
  useEffect(() => {
    let isLeft = false
    const take = (next: State) => {
      if (!isLeft) setState(next)
    }
    load().then(
      loaded => {
        document.title = `${loaded.proof.title} – ${loaded.proof.shop_name}`
        take({ kind: 'loaded', ...loaded })
      },
      (error: unknown) => take({ kind: 'failed', error: asError(error) }),
    )
    return () => {
      isLeft = true
    }
  }, [attempt])
  if (state.kind === 'loaded') return <LoadedProof proof={state.proof} saved={state.saved} />
  if (state.kind === 'loading')
    return (
      <main className="proof">
        <p role="status">Loading…</p>
        <img
          className="early-still"
          src={firstStill}
          alt=""
          onError={({ currentTarget }) => {
            currentTarget.hidden = true
          }}
        />
      </main>
    )
  const hasEnded = state.error instanceof ApiError && state.error.status === 404
  return (
    <main className="proof">
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

function LoadedProof({ proof, saved }: Loaded) {
  const shown = useShownArtwork(proof)
  return (
    <main className="proof">
      <header className="shared-head">
        <p className="brand">{proof.shop_name}</p>
        <h1>{proof.title}</h1>
        {proof.last_answer !== null && <LastAnswer answer={proof.last_answer} />}
        <p className="quiet">
          What you choose here stays on your device until you press Send. This link works until{' '}
          {formatMoment(proof.expires_at)}.
        </p>
      </header>
      <SharedScenes proof={proof} shown={shown} saved={saved} />
    </main>
  )
}
