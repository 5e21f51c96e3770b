import { ButtonLink } from '../components/controls.tsx'
import { SignedOutPage } from '../components/signed-out-page.tsx'

/** Shown for unknown addresses. */
export function NotFound() {
  return (
    <SignedOutPage title="Page not found">
      <p>The address may be mistyped, or the page has moved.</p>
      <div className="row">
        <ButtonLink look="primary" to="/">
          Go to the overview
        </ButtonLink>
        <ButtonLink to="/templates">View templates</ButtonLink>
      </div>
    </SignedOutPage>
  )
}
