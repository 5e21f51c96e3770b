/** A thumbnail of a scene in an answer: the still that was sent, or redrawn if the customer changed it. */
import { useQuery } from '@tanstack/react-query'
import type { DashboardTemplate, Placement, ProofResource } from '@vitrine/contract'
import type { ProductColors } from '../coloring/product-colors.ts'
import { swatchesOf } from '../coloring/product-colors.ts'
import { PictureRoom } from '../components/template-picture.tsx'
import { linkArtworkQuery } from '../queries/links-query.ts'
import { templateQuery } from '../queries/templates-query.ts'
import { useScene } from '../scenes/use-scene.ts'

type AnsweredSceneProps = {
  proofId: string
  scene: ProofResource['scenes'][number]
  /** Where the file is; null if there was none. */
  artwork: { readonly answerId: string | null; readonly name: string } | 'not-sent' | null
  placement: Placement
  colors: ProductColors
  isAsSent: boolean
  isHearted: boolean
}

export function AnsweredScene(props: AnsweredSceneProps) {
  const { scene, artwork, colors, isAsSent, isHearted } = props
  const isDrawn = !(isAsSent && scene.still_path !== null) && artwork !== 'not-sent'
  const chosen = Object.entries(colors)
  const template = useQuery({ ...templateQuery(scene.id), enabled: isDrawn || chosen.length > 0, retry: false })
  return (
    <figure className="answered-scene">
      {isAsSent && scene.still_path !== null ? (
        <img className="answered-picture" src={scene.still_path} alt="" loading="lazy" decoding="async" />
      ) : isDrawn && template.data !== undefined ? (
        <DrawnScene {...props} template={template.data} />
      ) : (
        <span className="answered-picture answered-missing quiet">
          {artwork === 'not-sent' ? 'The file was not sent' : template.isError ? 'The template no longer exists' : ''}
        </span>
      )}
      <figcaption>
        {isHearted && (
          <span className="answered-heart">
            <span aria-hidden="true">♥ </span>
            <span className="visually-hidden">Liked: </span>
          </span>
        )}
        {scene.name}
        {chosen.map(([area, color]) => (
          <span key={area} className="answered-color">
            <span className="answered-swatch" style={{ background: color }} aria-hidden="true" />
            {nameOfColor(template.data, area, color)}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

type DrawnSceneProps = AnsweredSceneProps & { template: DashboardTemplate }

function DrawnScene({ proofId, artwork, template, placement, colors }: DrawnSceneProps) {
  const file = useQuery(linkArtworkQuery(proofId, artwork === 'not-sent' ? null : artwork)).data
  const chosen = file === undefined ? null : (file ?? 'none')
  const { canvas, place, state } = useScene({ pack: template.packs[0], artwork: chosen, placement, colors })
  return (
    <div ref={place} className="answered-picture">
      {template.look !== null && <PictureRoom look={template.look} />}
      <canvas ref={canvas} className="tile-canvas" hidden={state.kind !== 'shown'} aria-hidden="true" />
      {state.kind === 'failed' && <span className="quiet">Not shown: {state.message}</span>}
    </div>
  )
}

/** The shop's name for a colour: that of the swatch, with the area's name if there are several areas. */
function nameOfColor(template: DashboardTemplate | undefined, area: string, color: string): string {
  const found = template?.colors.find(({ name }) => name === area)
  const named = found && swatchesOf(found).find(({ value }) => value === color)
  const name = named?.name ?? color
  return template?.colors.length === 1 ? name : `${name} ${area}`
}
