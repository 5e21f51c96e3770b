import { ApiError } from '../api.ts'
import { ButtonLink } from '../components/controls.tsx'
import { Failure } from '../components/states.tsx'

/** A template that could not be loaded: there is none any more, or something failed. */
export function TemplateFailure({ id, error, onRetry }: { id: string; error: Error; onRetry: () => void }) {
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <>
      <header className="page-head">
        <h1>{isMissing ? 'There is no such template' : 'Template'}</h1>
      </header>
      {isMissing ? (
        <div className="stack">
          <p>
            <code>{id}</code> was removed, or the address is mistyped.
          </p>
          <div className="row">
            <ButtonLink look="primary" to="/templates">
              See the templates
            </ButtonLink>
          </div>
        </div>
      ) : (
        <Failure error={error} onRetry={onRetry} />
      )}
    </>
  )
}
