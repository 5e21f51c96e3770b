/** The tray at the foot of the gallery: what is picked, what it costs, and the button that renders it. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DashboardTemplate, isOutputFormat, outputFormatNames, outputFormats } from '@vitrine/contract'
import { useState } from 'react'
import { Button, ButtonLink, Check, CopyButton, Field, Select } from '../components/controls.tsx'
import { formatCents, formatCount, formatCredits } from '../format.ts'
import { creditsQuery } from '../queries/credits-query.ts'
import { useSession } from '../session/session.ts'
import { countTasks } from '../visit/render-tasks.ts'
import { MOCKUPS_MAX } from '../visit/saved-work.ts'
import { channelIds, channelSizes } from './channel-sizes.ts'
import type { Cropped } from './find-cropped.ts'
import { galleryCurl, galleryTypescript, type PlannedMockup } from './gallery-snippets.ts'
import { faultOfPattern, placeholdersInWords } from './mockup-names.ts'
import type { Cell } from './planned-mockups.ts'
import { renderRuns } from './render-runs.ts'
import { RunDownload } from './run-download.tsx'
import { useRun } from './run-progress.tsx'
import type { TraySettings } from './tray-settings.ts'
import { usePaidToday } from './use-paid-today.ts'

const TRAY_ID = 'picks'

type TrayProps = {
  cells: readonly Cell[]
  artworkCount: number
  mockups: readonly PlannedMockup[]
  /** All artworks are decoded, so their placements are known. */
  isPlanned: boolean
  cropped: Cropped<DashboardTemplate>
  /** Cells in which the artwork hardly stands out from the product. */
  hardlyShown: readonly Cell[]
  /** Changes these products to colours on which the artwork stands out. */
  onRecolor: () => Promise<void>
  onLeaveOut: (cells: readonly Cell[]) => void
  /** Without `templates`, applies to all scenes. */
  onFit: (fit: 'contain' | 'cover', templates?: readonly DashboardTemplate[]) => void
  settings: TraySettings
  onSettings: (settings: TraySettings) => void
  /** Unpicks a scene for every artwork. */
  onUnpick: (templateId: string) => void
  onPickAll: () => void
  onPickNone: () => void
  /** Creates a link to the picks for a customer. */
  onSend: () => void
}

/** Lets keyboard users skip the scenes; with several artworks, each row has tab stops of its own. */
export function SkipScenes() {
  return (
    <a
      className="skip"
      href={`#${TRAY_ID}`}
      onClick={event => {
        event.preventDefault()
        document.getElementById(TRAY_ID)?.focus()
      }}
    >
      Skip the scenes
    </a>
  )
}

export function Tray(props: TrayProps) {
  const { cells, artworkCount, mockups, isPlanned, cropped, settings, onSend } = props
  const credits = useInfiniteQuery(creditsQuery)
  const balance = credits.data?.pages[0]?.spendable_credits
  const paid = usePaidToday(mockups)
  const cost = mockups.length - paid
  if (cells.length === 0)
    return (
      <section id={TRAY_ID} className="tray tray-empty" aria-label="Picks" tabIndex={-1}>
        <p className="quiet">Pick the scenes that you like: only those cost anything.</p>
        <div className="row">
          <FitButtons onFit={props.onFit} />
          <PickButtons {...props} />
        </div>
        <RunInTray />
      </section>
    )
  return (
    <section id={TRAY_ID} className="tray" aria-label="Picks" tabIndex={-1}>
      <div className="tray-facts">
        <p role="status" className="tray-cost">
          <strong>
            {formatCount(cells.length)} {artworkCount > 1 ? 'picture' : 'scene'}
            {cells.length === 1 ? '' : 's'}
            {settings.sizes.length > 1 && ` × ${settings.sizes.length} sizes`}: {formatCredits(cost)} (
            {formatCents(cost)})
          </strong>
          <span className="quiet">
            {balance !== undefined &&
              (cost <= balance
                ? `Leaves ${formatCount(balance - cost)}. `
                : `You have ${formatCount(balance)}: rendering stops when they are used up. `)}
            {paid > 0 && `${formatCount(paid)} of ${formatCount(mockups.length)} already paid today. `}
            Failed mockups cost nothing.
          </span>
        </p>
        {cropped.count > 0 && (
          <p className="tray-warning">
            {cropped.of === 1
              ? 'The picture crops the artwork.'
              : `${formatCount(cropped.count)} of ${formatCount(cropped.of)} pictures crop the artwork.`}{' '}
            <button type="button" className="link-button" onClick={() => props.onFit('contain', cropped.templates)}>
              Fit {cropped.count === 1 ? 'it' : 'them'}
            </button>
          </p>
        )}
        {props.hardlyShown.length > 0 && <HardlyShown {...props} />}
        {mockups.length > MOCKUPS_MAX && (
          <p className="field-error">
            One run makes at most {formatCount(MOCKUPS_MAX)} mockups: pick fewer, or use a program for more.
          </p>
        )}
        <Sizes {...props} />
        <details className="tray-more">
          <summary>Scenes, format and names</summary>
          <TrayMore {...props} />
        </details>
      </div>
      <div className="row tray-actions">
        <FitButtons onFit={props.onFit} />
        <PickButtons {...props} />
        <Button onClick={onSend} disabled={!isPlanned}>
          Send to a customer…
        </Button>
        {balance === 0 && cost > 0 ? (
          <ButtonLink look="primary" to="/credits" search={{ back: '/templates' }}>
            Get credits
          </ButtonLink>
        ) : (
          <RenderButton mockups={mockups} isPlanned={isPlanned} cost={cost} />
        )}
      </div>
    </section>
  )
}

type HardlyShownProps = Pick<TrayProps, 'cells' | 'hardlyShown' | 'onRecolor' | 'onLeaveOut'>

function HardlyShown({ cells, hardlyShown, onRecolor, onLeaveOut }: HardlyShownProps) {
  const [isLooking, setLooking] = useState(false)
  const { length: count } = hardlyShown
  const recolor = () => {
    if (isLooking) return
    setLooking(true)
    void onRecolor().finally(() => setLooking(false))
  }
  return (
    <p className="tray-warning">
      {cells.length === 1
        ? 'The artwork hardly stands out from the product.'
        : `In ${formatCount(count)} of ${formatCount(cells.length)} pictures the artwork hardly stands out.`}{' '}
      {hardlyShown.some(({ template }) => template.colors.length > 0) && (
        <>
          <button type="button" className="link-button" aria-busy={isLooking} onClick={recolor}>
            Change the colour
          </button>{' '}
          or{' '}
        </>
      )}
      <button type="button" className="link-button" onClick={() => onLeaveOut(hardlyShown)}>
        {count === 1 ? 'leave it out' : 'leave them out'}
      </button>
    </p>
  )
}

function PickButtons({ cells, onPickAll, onPickNone }: Pick<TrayProps, 'cells' | 'onPickAll' | 'onPickNone'>) {
  return (
    <>
      <Button className="button-small" onClick={onPickAll}>
        Pick all
      </Button>
      <Button className="button-small" onClick={onPickNone} disabled={cells.length === 0}>
        Pick none
      </Button>
    </>
  )
}

function FitButtons({ onFit }: Pick<TrayProps, 'onFit'>) {
  return (
    <>
      <Button className="button-small" onClick={() => onFit('contain')}>
        Fit all
      </Button>
      <Button className="button-small" onClick={() => onFit('cover')}>
        Fill all
      </Button>
    </>
  )
}

type RenderButtonProps = { mockups: readonly PlannedMockup[]; isPlanned: boolean; cost: number }

function RenderButton({ mockups, isPlanned, cost }: RenderButtonProps) {
  const { account } = useSession()
  const { tasks, isRunning } = useRun()
  if (isRunning) return <RunInTray />
  const count = mockups.length
  const isMade = cost === 0 && tasks.length > 0
  const names = new Set(tasks.map(({ tile, name }) => `${tile} ${name}`))
  if (isMade && mockups.every(({ tile, name }) => names.has(`${tile} ${name}`))) return <RunDownload look="primary" />
  return (
    <>
      <RunDownload look="quiet" />
      <Button
        look="primary"
        disabled={count > MOCKUPS_MAX || !isPlanned}
        onClick={() => {
          // The button is replaced by the run: focus stays in the tray and does not return to the page's top.
          document.getElementById(TRAY_ID)?.focus()
          void renderRuns.start(account.id, mockups)
        }}
      >{`Render ${formatCount(count)} for ${formatCredits(cost)}`}</Button>
    </>
  )
}

/** The run's progress, then its result. The navigation shows it too, but may be out of sight. */
function RunInTray() {
  const { tasks, states, isRunning } = useRun()
  if (!isRunning) return <RunDownload look="primary" />
  return (
    <>
      <Link to="/mockups">
        {formatCount(countTasks(states).done)} of {formatCount(tasks.length)} rendered
      </Link>
      <Button onClick={() => renderRuns.stop()}>
        Stop<span className="visually-hidden"> rendering</span>
      </Button>
    </>
  )
}

function Sizes({ settings, onSettings }: TrayProps) {
  return (
    <fieldset className="tray-sizes">
      <legend className="visually-hidden">Sizes</legend>
      {channelSizes.map(({ id, label, widthPx }) => (
        <Check
          key={id}
          checked={settings.sizes.includes(id)}
          onChecked={() => {
            const sizes = channelIds.filter(each => settings.sizes.includes(each) !== (each === id))
            if (sizes.length > 0) onSettings({ ...settings, sizes })
          }}
        >
          {label} {formatCount(widthPx)} px
        </Check>
      ))}
    </fieldset>
  )
}

function TrayMore({ cells, mockups, settings, onSettings, onUnpick }: TrayProps) {
  const { service } = useSession()
  const picked = [...new Set(cells.map(({ template }) => template))]
  return (
    <>
      <ul className="chips" aria-label="Picked scenes">
        {picked.map(({ id, name }) => (
          <li key={id}>
            <Button className="button-small" onClick={() => onUnpick(id)}>
              {name}
              <span className="chip-x" aria-hidden="true">
                ×
              </span>
              <span className="visually-hidden">: remove</span>
            </Button>
          </li>
        ))}
      </ul>
      <div className="tray-fields">
        <NamePattern
          settings={settings}
          example={mockups[0]?.name ?? ''}
          onPattern={namePattern => onSettings({ ...settings, namePattern })}
        />
        <Select
          label="Format"
          value={settings.format}
          onChange={({ currentTarget: { value } }) =>
            isOutputFormat(value) && onSettings({ ...settings, format: value })
          }
          options={outputFormatNames.map(value => ({ value, label: outputFormats[value].label }))}
        />
      </div>
      <details className="tray-more">
        <summary>For developers</summary>
        <div className="row tray-programs">
          <CopyButton
            text={galleryCurl(service.base_url, mockups)}
            what="the curl commands for exactly this"
            label="curl"
          />
          <CopyButton
            text={galleryTypescript(service.base_url, mockups)}
            what="the TypeScript program for exactly this"
            label="TypeScript"
          />
          <CopyButton
            text={location.href}
            what="the address of this gallery: people with this account see the same picks, placement and colours"
            label="address"
          />
        </div>
      </details>
    </>
  )
}

type NamePatternProps = { settings: TraySettings; example: string; onPattern: (pattern: string) => void }

/** A pattern is used and saved as soon as it is valid. */
function NamePattern({ settings: { namePattern }, example, onPattern }: NamePatternProps) {
  const [text, setText] = useState(namePattern)
  const fault = faultOfPattern(text)
  return (
    <Field
      label="Names"
      value={text}
      error={fault ?? undefined}
      help={
        fault === null
          ? `For example “${example}”. ${placeholdersInWords} are filled in.`
          : `“${namePattern}” is used until the pattern is valid.`
      }
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        if (faultOfPattern(value) === null) onPattern(value)
      }}
    />
  )
}
