/** Makes a link for a customer of the picked scenes, as they are now. */
import { type DashboardTemplate, limits, WALL_DAYS_DEFAULT, wallSchema } from '@vitrine/contract'
import { useState } from 'react'
import { act, post } from '../api.ts'
import { Button, ButtonLink, CopyButton, Field, Select } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Failure } from '../components/states.tsx'
import { useAction } from '../components/use-action.ts'
import { textField } from '../fields.ts'
import { formatMoment } from '../format.ts'
import { linksQuery, sendLinkArtwork } from '../pages/links-query.ts'
import { queryClient } from '../session/session.ts'
import type { WallColors } from './wall-address.ts'
import { type WallPlacing, wallPlacementOf } from './wall-placing.ts'

type SendLinkProps = {
  templates: readonly DashboardTemplate[]
  artwork: File | null
  placing: WallPlacing
  colors: WallColors
  onClose: () => void
}

const FORM = 'send-link'
const dayChoices = [3, 7, WALL_DAYS_DEFAULT, 30, 90]

export function SendLink({ templates, artwork, placing, colors, onClose }: SendLinkProps) {
  const [made, setMade] = useState<{ url: string; expiresAt: string } | null>(null)
  const [withArtwork, setWithArtwork] = useState(artwork !== null)
  const { error, submit } = useAction(async fields => {
    const draft = {
      title: textField(fields, 'title'),
      shop_name: textField(fields, 'shop_name'),
      days: Number(textField(fields, 'days')),
      template_ids: templates.map(({ id }) => id),
      placements: Object.fromEntries(templates.map(template => [template.id, wallPlacementOf(placing, template)])),
      colors: Object.fromEntries(
        templates.flatMap(({ id }) => {
          const chosen = colors[id]
          return chosen === undefined ? [] : [[id, chosen]]
        }),
      ),
    }
    const { id, url, expires_at } = await post('/dashboard/api/walls', draft, wallSchema)
    if (artwork !== null && withArtwork)
      try {
        await sendLinkArtwork(id, artwork)
      } catch (failure) {
        // A link without its picture is none that anybody asked for.
        await act(`/dashboard/api/walls/${id}/remove`).catch(() => undefined)
        throw failure
      }
    await queryClient.invalidateQueries(linksQuery)
    setMade({ url, expiresAt: expires_at })
  })
  if (made !== null)
    return (
      <Dialog
        title="Send this link"
        onClose={onClose}
        isDone
        actions={
          <>
            <CopyButton text={made.url} what="the link" label="the link" isPrimary />
            <ButtonLink to="/links">See its answers</ButtonLink>
          </>
        }
      >
        <p className="breaking">
          <code>{made.url}</code>
        </p>
        <p className="quiet">
          Everybody who has it sees these scenes, without an account, until {formatMoment(made.expiresAt)}. Answers come
          to Links, where you can end it.
        </p>
      </Dialog>
    )
  const tooMany = templates.length > limits.wallScenesMax
  return (
    <Dialog
      title="Send to a customer"
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form={FORM} disabled={tooMany}>
          Make the link
        </Button>
      }
    >
      <form id={FORM} className="form" onSubmit={event => void submit(event)}>
        <p>
          {templates.length} {templates.length === 1 ? 'scene' : 'scenes'}, as they are now. Your customer needs no
          account and pays nothing; nothing is charged to you.
        </p>
        {tooMany && <p className="field-error">A link shows at most {limits.wallScenesMax} scenes.</p>}
        <Field label="Your shop’s name" name="shop_name" required maxLength={100} keepAs="send-link shop" />
        <Field label="Title" name="title" required maxLength={200} defaultValue="Your proof" />
        <Select
          label="The link works for"
          name="days"
          defaultValue={String(WALL_DAYS_DEFAULT)}
          options={dayChoices.map(days => ({ value: String(days), label: `${days} days` }))}
        />
        {artwork !== null && (
          <label className="check">
            <input
              type="checkbox"
              checked={withArtwork}
              onChange={({ currentTarget: { checked } }) => setWithArtwork(checked)}
            />
            Show “{artwork.name}” in the scenes: it is sent to this service
          </label>
        )}
        {error !== null && <Failure error={error} />}
      </form>
    </Dialog>
  )
}
