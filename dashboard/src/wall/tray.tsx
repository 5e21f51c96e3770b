/** What was picked, what it costs, and rendering it: at the foot of the wall. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { isOutputFormat, outputFormatNames, outputFormats } from '@vitrine/contract'
import { Button, ButtonLink, CopyButton, Select } from '../components/controls.tsx'
import { formatCents, formatCount, formatCredits } from '../format.ts'
import { creditsQuery } from '../pages/credits-query.ts'
import { useSession } from '../session/session.ts'
import { type ChannelId, channelSizes } from './channel-sizes.ts'
import type { RenderTask } from './render-runs.ts'
import { renderRuns } from './render-runs.ts'
import { useRun } from './run-progress.tsx'
import { wallCurl, wallTypescript } from './wall-snippets.ts'

export type TraySettings = { readonly sizes: readonly ChannelId[]; readonly format: (typeof outputFormatNames)[number] }

type TrayProps = {
  sceneCount: number
  artworkCount: number
  tasks: readonly RenderTask[]
  settings: TraySettings
  onSettings: (settings: TraySettings) => void
  onPickAll: () => void
  onPickNone: () => void
  /** Makes a link of the picks for a customer. */
  onSend: () => void
}

export function Tray({
  sceneCount,
  artworkCount,
  tasks,
  settings,
  onSettings,
  onPickAll,
  onPickNone,
  onSend,
}: TrayProps) {
  const { account, service } = useSession()
  const { isRunning } = useRun()
  const credits = useInfiniteQuery(creditsQuery)
  const balance = credits.data?.pages[0]?.spendable_credits
  const cost = tasks.length
  const toggle = (id: ChannelId) => {
    const sizes = channelSizes.map(size => size.id).filter(each => settings.sizes.includes(each) !== (each === id))
    if (sizes.length > 0) onSettings({ ...settings, sizes })
  }
  if (sceneCount === 0)
    return (
      <section className="tray" aria-label="Picks">
        <p className="quiet">Pick the scenes that you like: only those cost anything.</p>
        <Button className="button-small" onClick={onPickAll}>
          Pick all
        </Button>
      </section>
    )
  return (
    <section className="tray" aria-label="Picks">
      <div>
        <p role="status">
          <strong>
            {formatCount(sceneCount)} {sceneCount === 1 ? 'scene' : 'scenes'}
            {artworkCount > 1 && ` of ${artworkCount} artworks`}
            {settings.sizes.length > 1 && ` × ${settings.sizes.length} sizes`}: {formatCredits(cost)}
          </strong>{' '}
          ({formatCents(cost)})
          {balance !== undefined &&
            (cost <= balance
              ? `, ${formatCount(balance - cost)} left after it`
              : `: you have ${formatCount(balance)}, it stops when they are used up`)}
          . What fails costs nothing.
        </p>
        <details className="tray-more">
          <summary>Sizes, format, programs</summary>
          <fieldset className="tray-sizes">
            <legend className="visually-hidden">Sizes</legend>
            {channelSizes.map(({ id, label, widthPx }) => (
              <label key={id} className="check">
                <input type="checkbox" checked={settings.sizes.includes(id)} onChange={() => toggle(id)} />
                {label} {formatCount(widthPx)}
              </label>
            ))}
          </fieldset>
          <div className="row tray-programs">
            <Select
              label="Format"
              value={settings.format}
              onChange={({ currentTarget: { value } }) =>
                isOutputFormat(value) && onSettings({ ...settings, format: value })
              }
              options={outputFormatNames.map(value => ({ value, label: outputFormats[value].label }))}
            />
            <CopyButton
              text={wallCurl(service.base_url, tasks)}
              what="the curl commands for exactly this"
              label="curl"
            />
            <CopyButton
              text={wallTypescript(service.base_url, tasks)}
              what="the TypeScript program for exactly this"
              label="TypeScript"
            />
          </div>
        </details>
      </div>
      <div className="row tray-actions">
        <Button className="button-small" onClick={onPickNone}>
          Pick none
        </Button>
        <Button onClick={onSend}>Send to a customer…</Button>
        {balance !== undefined && balance === 0 ? (
          <ButtonLink look="primary" to="/credits" search={{ back: '/templates' }}>
            Get credits
          </ButtonLink>
        ) : (
          <Button
            look="primary"
            aria-busy={isRunning}
            onClick={() => {
              if (!isRunning) void renderRuns.start(account.id, tasks)
            }}
          >
            {isRunning ? 'Rendering…' : `Render ${formatCount(cost)} for ${formatCredits(cost)}`}
          </Button>
        )}
      </div>
    </section>
  )
}
