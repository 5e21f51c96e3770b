import { ApiError } from '../api.ts'
import { ButtonLink } from '../components/controls.tsx'
import { Page } from '../components/page.tsx'
import { Failure } from '../components/states.tsx'

/** A template that could not be loaded: it does not exist, or something failed. */
export function TemplateFailure({ id, error, onRetry }: { id: string; error: Error; onRetry: () => void }) {
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Page title={isMissing ? 'Template not found' : 'Template'}>
      {isMissing ? (
        <div className="stack">
          <p>
            <code>{id}</code> was removed, or the address is mistyped.
          </p>
          <div className="row">
            <ButtonLink look="primary" to="/templates">
              View templates
            </ButtonLink>
          </div>
        </div>
      ) : (
        <Failure error={error} onRetry={onRetry} />
      )}
    </Page>
  )
}
