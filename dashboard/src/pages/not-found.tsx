import { ButtonLink } from '../components/controls.tsx'
import { SignedOutPage } from '../components/signed-out-page.tsx'

/** What an address shows that is none of ours. */
export function NotFound() {
  return (
    <SignedOutPage title="There is no such page">
      <p>The address may be mistyped, or the page has moved.</p>
      <div className="row">
        <ButtonLink look="primary" to="/">
          Go to the overview
        </ButtonLink>
        <ButtonLink to="/templates">See the templates</ButtonLink>
      </div>
    </SignedOutPage>
  )
}
