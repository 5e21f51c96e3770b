/** A star beside a template's name. */
import './favourite-button.css'
import type { DashboardTemplate } from '@vitrine/contract'
import { asError } from '../as-error.ts'
import { announce, announceUnseen } from '../components/announcer.tsx'
import type { TabIndex } from '../components/use-tab-stop.ts'
import { setMarks } from './set-marks.ts'

type FavouriteButtonProps = {
  template: Pick<DashboardTemplate, 'id' | 'name' | 'favourite' | 'tags'>
  tabIndex?: TabIndex
}

export function FavouriteButton({ template, tabIndex = 0 }: FavouriteButtonProps) {
  const { name, favourite } = template
  const toggle = async () => {
    try {
      await setMarks(template, { favourite: !favourite })
      announceUnseen(favourite ? `${name} is no longer a favourite.` : `${name} is a favourite.`)
    } catch (failure) {
      announce(asError(failure).message)
    }
  }
  return (
    <button
      type="button"
      className="favourite"
      tabIndex={tabIndex}
      aria-pressed={favourite}
      aria-label={`Favourite: ${name}`}
      title={favourite ? 'A favourite: click to remove the star' : 'Make it a favourite'}
      onClick={() => void toggle()}
    >
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        <path d="M12 3.2l2.7 5.6 6.1.8-4.5 4.3 1.1 6.1-5.4-3-5.4 3 1.1-6.1L3.2 9.6l6.1-.8z" />
      </svg>
    </button>
  )
}
