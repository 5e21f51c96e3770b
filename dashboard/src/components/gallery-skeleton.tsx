import './gallery-skeleton.css'

/** The placeholder for a gallery that is loading, with cards of the final shape. */
export function GallerySkeleton({ cards = 8 }: { cards?: number }) {
  return (
    <div role="status" aria-busy="true" aria-label="Loading" className="gallery skeleton-gallery">
      {Array.from({ length: cards }, (_, card) => (
        <div key={card} className="skeleton">
          <div className="skeleton-picture" />
          <div className="skeleton-line" />
        </div>
      ))}
    </div>
  )
}
