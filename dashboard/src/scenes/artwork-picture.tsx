/** A template's picture with the chosen artwork in it, if there is one, drawn by the gallery's workers. */
import './artwork-picture.css'
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { startPlacement } from '@vitrine/live'
import { useMemo } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { TemplatePicture } from '../components/template-picture.tsx'
import { useArtworkSize } from './use-artwork-size.ts'
import { useScene } from './use-scene.ts'

type ArtworkPictureProps = {
  template: DashboardTemplate
  artwork: File | null
  /** Without it, the artwork has its initial placement. */
  placement?: Placement
  colors?: ProductColors
  alt: string
  numbered?: boolean
}

const noColors: ProductColors = {}

export function ArtworkPicture(props: ArtworkPictureProps) {
  const { template, artwork, colors = noColors, alt, numbered = false } = props
  const [pack] = template.packs
  const look = useArtworkSize(artwork)
  const start = useMemo(
    () => startPlacement(template.is_product_template, look?.isClear === true),
    [template.is_product_template, look?.isClear],
  )
  const placement = props.placement ?? start
  const { canvas, place, state } = useScene({ pack, artwork, placement, colors })
  return (
    <div className="chosen" ref={place}>
      <TemplatePicture template={template} alt={alt} lazy numbered={numbered} />
      <canvas ref={canvas} className="artwork-canvas" hidden={state.kind !== 'shown'} aria-hidden="true" />
    </div>
  )
}
