import './template-card.css'
import { Link } from '@tanstack/react-router'
import type { DashboardTemplate } from '@vitrine/contract'
import { TemplatePicture } from './template-picture.tsx'

/** A template in a gallery: the picture first, at its own ratio, with the name below. */
export function TemplateCard({ template }: { template: DashboardTemplate }) {
  return (
    <Link to="/templates/$id" params={{ id: template.id }} className="card">
      <TemplatePicture template={template} alt="" lazy />
      <span className="card-name">{template.name}</span>
      <span className="quiet">
        {template.category}
        {template.frame_count > 1 && ` · ${template.frame_count} frames`}
        {template.owner === 'own' && ' · yours'}
      </span>
    </Link>
  )
}
