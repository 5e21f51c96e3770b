import './gallery-skeleton.css'

/** A gallery that is loading: cards of the shape that they will have. */
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
