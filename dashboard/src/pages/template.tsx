/** One template: its picture, a place to try it, and what a program needs to use it. */

import './template.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { DashboardTemplate } from '@vitrine/contract'
import { startPlacement } from '@vitrine/live'
import { useMemo, useState } from 'react'
import { act, send } from '../api.ts'
import type { ProductColors } from '../coloring/product-colors.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink, CopyButton, Snippet } from '../components/controls.tsx'
import { DocsLine } from '../components/docs-line.tsx'
import { Skeleton } from '../components/states.tsx'
import { TemplateSharing } from '../components/template-sharing.tsx'
import { WayBack } from '../components/way-back.tsx'
import { saveBundle } from '../editor/save-bundle.ts'
import { formatFrame, formatFrames } from '../format.ts'
import { FavouriteButton } from '../marks/favourite-button.tsx'
import { TemplateTags } from '../marks/template-tags.tsx'
import { usePlacing } from '../placing/use-placing.ts'
import { useSavedScene } from '../placing/use-saved-scene.ts'
import { templateQuery } from '../queries/templates-query.ts'
import { useArtworkSize } from '../scenes/use-artwork-size.ts'
import { queryClient, useSession } from '../session/session.ts'
import { curlSnippet, pythonSnippet, typescriptSnippet } from '../snippets.ts'
import { placedOnGallery } from '../visit/gallery-placing.ts'
import { defaultOutput } from '../visit/mockups.ts'
import { type PlacementParameters, placementParameters } from '../visit/placing.ts'
import { chosenQuery } from '../visit/saved-work.ts'
import { TemplateFailure } from './template-failure.tsx'
import { TemplateVersions } from './template-versions.tsx'
import { TryIt } from './try-it.tsx'

const route = getRouteApi('/signed-in/templates/$id')

const noColors: ProductColors = {}

export function TemplatePage() {
  const { id } = route.useParams()
  const template = useQuery(templateQuery(id))
  if (template.isPending) return <Skeleton rows={2} height={320} />
  if (template.isError)
    return <TemplateFailure id={id} error={template.error} onRetry={() => void template.refetch()} />
  return <Template key={template.data.id} template={template.data} />
}

function Template({ template }: { template: DashboardTemplate }) {
  const { account } = useSession()
  const artwork = useQuery(chosenQuery(account.id)).data?.files[0] ?? null
  const isClear = useArtworkSize(artwork)?.isClear
  const { gallery, keepPlacement, keepColors } = useSavedScene(template.id)
  const placed = gallery === null ? undefined : placedOnGallery(gallery.placing, template)
  const start = useMemo(
    () => placed ?? (isClear === undefined ? null : startPlacement(template.is_product_template, isClear)),
    [placed, isClear, template.is_product_template],
  )
  const [placing, dispatch] = usePlacing(template, gallery === null ? null : start, keepPlacement)
  const colors = gallery?.colors[template.id] ?? noColors
  return (
    <>
      <WayBack to="/templates">Templates</WayBack>
      <header className="page-head">
        <div>
          <div className="title-row">
            <h1>{template.name}</h1>
            <FavouriteButton template={template} />
          </div>
          <p className="quiet">{template.category}</p>
          <TemplateSharing template={template} />
          <TemplateTags template={template} />
        </div>
        <div className="row">
          {template.downloadable && (
            <>
              <a
                className="button button-quiet"
                href={`/dashboard/api/templates/${template.id}/bundle.zip`}
                download={`${template.id}.zip`}
              >
                Export bundle
              </a>
              <ButtonLink to="/templates/$id/edit" params={{ id: template.id }}>
                {template.editable ? 'Edit' : 'Make a copy'}
              </ButtonLink>
            </>
          )}
          {template.editable && (
            <details className="more-actions">
              <summary className="button button-quiet">More</summary>
              <Remove template={template} />
            </details>
          )}
        </div>
      </header>
      <div className="stack">
        <TryIt
          key={template.preview_path}
          template={template}
          placing={placing}
          dispatch={dispatch}
          colors={colors}
          onColors={keepColors}
        />
        <Facts template={template} />
        {template.editable && <TemplateVersions template={template} />}
        <Snippets template={template} placement={placementParameters(placing.history.present)} colors={colors} />
      </div>
    </>
  )
}

function Facts({ template }: { template: DashboardTemplate }) {
  return (
    <section className="panel" aria-label="Facts">
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <code>{template.id}</code> <CopyButton text={template.id} what="the id" />
        </dd>
        {template.frame_count > 1 && (
          <>
            <dt>Frames</dt>
            <dd>
              {formatFrames(template.frame_count)}{' '}
              <span className="quiet">
                (<code>artwork_0</code> is for {formatFrame(0)})
              </span>
            </dd>
          </>
        )}
        <dt>Artwork</dt>
        <dd>
          {template.frames
            .map(
              ({ index, aspect_ratio }) =>
                `${template.frame_count > 1 ? `${formatFrame(index)}: ` : ''}${aspect_ratio.toFixed(2)}`,
            )
            .join(' · ')}{' '}
          <span className="quiet">(width / height)</span>
        </dd>
        <dt>Type</dt>
        <dd>
          {template.is_product_template
            ? `Product${template.surface_type === null ? '' : ` · ${template.surface_type}`}`
            : 'Print'}
        </dd>
        <dt>Surface</dt>
        <dd>
          {template.render_mode === 'corners' ? 'Flat, seen in perspective' : 'Curved: artwork follows its shape'}
          {template.blending_mode !== 'normal' && ` · blend mode “${template.blending_mode}”`}
        </dd>
      </dl>
    </section>
  )
}

type SnippetsProps = { template: DashboardTemplate; placement: PlacementParameters; colors: ProductColors }

function Snippets({ template, placement, colors }: SnippetsProps) {
  const { account, service } = useSession()
  const chosen = useQuery(chosenQuery(account.id)).data
  const names = chosen?.files.slice(0, template.frame_count).map(({ name }) => name) ?? []
  const input = {
    baseUrl: service.base_url,
    templateId: template.id,
    placement,
    colors,
    output: chosen?.output ?? defaultOutput,
    // As in the picture: frames without an artwork of their own have the first.
    artworkNames: names.length > 1 ? template.frames.map((_, frame) => names[frame] ?? names[0] ?? '') : names,
  }
  const languages = { curl: curlSnippet(input), TypeScript: typescriptSnippet(input), Python: pythonSnippet(input) }
  const [language, setLanguage] = useState<keyof typeof languages>('curl')
  return (
    <section className="stack" aria-labelledby="from-your-program">
      <h2 id="from-your-program">From your program</h2>
      <div className="row" role="group" aria-label="Language">
        {(['curl', 'TypeScript', 'Python'] as const).map(name => (
          <Button
            key={name}
            aria-pressed={language === name}
            look={language === name ? 'primary' : 'quiet'}
            onClick={() => setLanguage(name)}
          >
            {name}
          </Button>
        ))}
      </div>
      <Snippet code={languages[language]} what={`the ${language} code`} />
      <DocsLine />
    </section>
  )
}

function Remove({ template }: { template: DashboardTemplate }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const remove = async () => {
    const path = `/dashboard/api/templates/${template.id}`
    const bundle = await (await send(`${path}/bundle.zip`)).blob()
    await act(`${path}/remove`)
    await queryClient.invalidateQueries({ queryKey: ['templates'] })
    announce(`Removed ${template.name}.`, {
      undo: async () => {
        await saveBundle(bundle, template.owner === 'shared')
        announce(`${template.name} is back.`)
      },
    })
    await navigate({ to: '/templates' })
    // A shared template may have the same id.
    queryClient.removeQueries({ queryKey: ['template', template.id], type: 'inactive' })
  }
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {asking && (
        <ActionDialog
          title={`Remove “${template.name}”?`}
          label={`Remove ${template.name}`}
          action={remove}
          onClose={() => setAsking(false)}
          isDestructive
        >
          <p>
            Requests for <code>{template.id}</code> answer “template not found” from now on
            {template.owner === 'shared' ? ', for every account' : ''}. Its earlier versions are removed too. Export the
            bundle first if you may want it back.
          </p>
        </ActionDialog>
      )}
    </>
  )
}
