import './template-card.css'
import { Link } from '@tanstack/react-router'
import type { DashboardTemplate } from '@vitrine/contract'
import { formatFrames } from '../format.ts'
import { FavouriteButton } from '../marks/favourite-button.tsx'
import { ArtworkPicture } from '../scenes/artwork-picture.tsx'
import { useChosenArtworks } from '../visit/use-chosen-artworks.ts'

/** A template in a gallery: the picture at its aspect ratio, with the name below. */
export function TemplateCard({ template }: { template: DashboardTemplate }) {
  const [artwork] = useChosenArtworks()
  return (
    <div className="card-place">
      <Link to="/templates/$id" params={{ id: template.id }} className="card">
        <ArtworkPicture template={template} artwork={artwork ?? null} alt="" />
        <span className="card-name">{template.name}</span>
        <span className="quiet">
          {template.category}
          {template.frame_count > 1 && ` · ${formatFrames(template.frame_count)}`}
          {template.owner === 'own' && ' · private'}
        </span>
      </Link>
      <FavouriteButton template={template} />
    </div>
  )
}
