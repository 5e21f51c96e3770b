/** A template's picture with an artwork in it, where one is chosen: drawn by the workers of the wall. */
import './worn-picture.css'
import type { DashboardTemplate } from '@vitrine/contract'
import { startPlacement } from '@vitrine/live'
import { TemplatePicture } from '../components/template-picture.tsx'
import { useArtworkSize } from './use-artwork-size.ts'
import { useScene } from './use-scene.ts'

type WornPictureProps = { template: DashboardTemplate; artwork: File | null; alt: string; numbered?: boolean }

const noColors = {}

export function WornPicture({ template, artwork, alt, numbered = false }: WornPictureProps) {
  const [pack] = template.packs
  const look = useArtworkSize(artwork)
  const placement = startPlacement(template.is_product_template, look?.isClear === true)
  const { canvas, place, state } = useScene({ pack, artwork, placement, colors: noColors })
  return (
    <div className="worn" ref={place}>
      <TemplatePicture template={template} alt={alt} lazy numbered={numbered} />
      <canvas ref={canvas} className="worn-canvas" hidden={state.kind !== 'shown'} aria-hidden="true" />
    </div>
  )
}
