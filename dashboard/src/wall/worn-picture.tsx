/** A template's picture with an artwork in it, where one is chosen: drawn by the workers of the wall. */
import './worn-picture.css'
import type { DashboardTemplate } from '@vitrine/contract'
import { centredCover } from '@vitrine/engine'
import { TemplatePicture } from '../components/template-picture.tsx'
import { useScene } from './use-scene.ts'

type WornPictureProps = { template: DashboardTemplate; artwork: File | null; alt: string; numbered?: boolean }

const noColors = {}

export function WornPicture({ template, artwork, alt, numbered = false }: WornPictureProps) {
  const [pack] = template.packs
  const { canvas, place, state } = useScene({ pack, artwork, placement: centredCover, colors: noColors })
  return (
    <div className="worn" ref={place}>
      <TemplatePicture template={template} alt={alt} lazy numbered={numbered} />
      <canvas ref={canvas} className="worn-canvas" hidden={state.kind !== 'shown'} aria-hidden="true" />
    </div>
  )
}
