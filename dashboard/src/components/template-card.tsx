import { Link } from '@tanstack/react-router'
import type { DashboardTemplate } from '@vitrine/contract'

/** A template in a gallery: the picture first, at its own ratio, with the name below. */
export function TemplateCard({ template }: { template: DashboardTemplate }) {
  return (
    <Link to="/templates/$id" params={{ id: template.id }} className="card">
      {template.thumbnail_url === null ? (
        <div className="card-picture card-missing">No picture yet</div>
      ) : (
        <img
          className="card-picture"
          src={new URL(template.thumbnail_url, location.href).pathname}
          alt=""
          loading="lazy"
          decoding="async"
        />
      )}
      <span className="card-name">{template.name}</span>
      <span className="quiet">
        {template.category}
        {template.frame_count > 1 && ` · ${template.frame_count} frames`}
        {template.owner === 'own' && ' · yours'}
      </span>
    </Link>
  )
}
