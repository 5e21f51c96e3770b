/** Creates a link for a customer that shows the picked scenes as they are now. */
import { type DashboardTemplate, limits, PROOF_DAYS_DEFAULT, type ProofDraft, proofSchema } from '@vitrine/contract'
import { centredCover } from '@vitrine/engine'
import { useState } from 'react'
import { act, post } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { ButtonLink, Check, CopyButton, Field, Select } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { textField } from '../fields.ts'
import { counted, formatMoment } from '../format.ts'
import { linksQuery, sendLinkArtwork, sendStills } from '../queries/links-query.ts'
import type { SceneWant } from '../scenes/scene-messages.ts'
import type { ArtworkLooks } from '../scenes/use-artwork-looks.ts'
import { queryClient } from '../session/session.ts'
import type { GalleryColors } from '../visit/gallery-address.ts'
import { type GalleryPlacing, galleryPlacementOf } from '../visit/gallery-placing.ts'
import { drawStills } from './draw-stills.ts'
import type { Cell } from './planned-mockups.ts'

type SendLinkProps = {
  /** At least one. */
  cells: readonly Cell[]
  looks: ArtworkLooks
  placing: GalleryPlacing
  colors: GalleryColors
  onClose: () => void
}

const dayChoices = [3, 7, PROOF_DAYS_DEFAULT, 30, 90]

export function SendLink({ cells, looks, placing, colors, onClose }: SendLinkProps) {
  // A link shows a single artwork.
  const artworks = [...new Set(cells.map(({ artwork }) => artwork))]
  const [chosen, setChosen] = useState(0)
  const artwork = artworks[chosen] ?? null
  const templates = cells.filter(cell => cell.artwork === artwork).map(({ template }) => template)
  const isClear = artwork !== null && looks.get(artwork)?.isClear === true
  const [made, setMade] = useState<{ url: string; expiresAt: string } | null>(null)
  const [withArtwork, setWithArtwork] = useState(artwork !== null)
  const [drawn, setDrawn] = useState<number | null>(null)
  const create = async (fields: FormData) => {
    const draft = {
      title: textField(fields, 'title'),
      shop_name: textField(fields, 'shop_name'),
      days: Number(textField(fields, 'days')),
      template_ids: templates.map(({ id }) => id),
      placements: Object.fromEntries(
        templates.map(template => [template.id, galleryPlacementOf(placing, template, isClear)]),
      ),
      colors: Object.fromEntries(
        templates.flatMap(({ id }) => {
          const chosen = colors[id]
          return chosen === undefined ? [] : [[id, chosen]]
        }),
      ),
    }
    // Until the link exists; it either shows everything that was drawn or is not created.
    setDrawn(0)
    const stills = await drawStills(
      templates.map(template => stillOf(template, artwork !== null && withArtwork ? artwork : 'none', draft)),
      setDrawn,
    ).finally(() => setDrawn(null))
    const { id, url, expires_at } = await post('/dashboard/api/proofs', draft, proofSchema)
    try {
      if (artwork !== null && withArtwork) await sendLinkArtwork(id, artwork)
      await sendStills(id, stills)
    } catch (failure) {
      // A link without its pictures is incomplete, and removed again.
      await act(`/dashboard/api/proofs/${id}/remove`).catch(() => undefined)
      throw failure
    }
    await queryClient.invalidateQueries(linksQuery)
    setMade({ url, expiresAt: expires_at })
  }
  if (made !== null)
    return (
      <Dialog
        title="Send this link"
        onClose={onClose}
        isDone
        actions={
          <>
            <CopyButton text={made.url} what="the link" label="the link" isPrimary />
            <ButtonLink to="/links">See the answers</ButtonLink>
          </>
        }
      >
        <p className="breaking">
          <code>{made.url}</code>
        </p>
        <p className="quiet">
          Anyone with the link sees these scenes, without an account, until {formatMoment(made.expiresAt)}. Answers
          appear in Proofs, where you can end the link.
        </p>
      </Dialog>
    )
  const tooMany = templates.length > limits.proofScenesMax
  return (
    <ActionDialog
      title="Send to a customer"
      label={drawn === null ? 'Create the link' : `Drawn ${drawn} of ${templates.length}…`}
      action={create}
      onClose={onClose}
      isOff={tooMany}
    >
      <p>
        {counted(templates.length, 'scene')}, as they are now. Your customer needs no account and pays nothing; nothing
        is charged to you.
      </p>
      {tooMany && <p className="field-error">A link shows at most {limits.proofScenesMax} scenes.</p>}
      <Field label="Your shop’s name" name="shop_name" required maxLength={100} saveAs="send-link shop" />
      <Field label="Title" name="title" required maxLength={200} defaultValue="Your proof" />
      <Select
        label="The link works for"
        name="days"
        defaultValue={String(PROOF_DAYS_DEFAULT)}
        options={dayChoices.map(days => ({ value: String(days), label: `${days} days` }))}
      />
      {artworks.length > 1 && (
        <Select
          label="Artwork (a link shows one)"
          value={String(chosen)}
          onChange={({ currentTarget: { value } }) => setChosen(Number(value))}
          options={artworks.map(({ name }, index) => ({ value: String(index), label: name }))}
        />
      )}
      {artwork !== null && (
        <Check checked={withArtwork} onChecked={setWithArtwork}>
          Show “{artwork.name}” in the scenes: it is sent to this service
        </Check>
      )}
    </ActionDialog>
  )
}

type Drawn = Pick<ProofDraft, 'placements' | 'colors'>

function stillOf(template: DashboardTemplate, artwork: File | 'none', { placements, colors }: Drawn): SceneWant {
  const [pack] = template.packs
  if (pack === undefined) throw new Error(`“${template.name ?? template.id}” has no preview that can be sent.`)
  const placement = placements[template.id] ?? centredCover
  return { pack: pack.path, widthPx: pack.width_px, artwork, placement, colors: colors[template.id] ?? {} }
}
