/**
 * The lifecycle of the process. It answers requests in every phase but the last, and is ready only in
 * `serving`.
 *
 *  - `starting`: it is listening while the first start is under way.
 *  - `leaving`: it was asked to stop, and continues serving until proxies have noticed.
 *  - `stopping`: it finishes requests in progress and rejects new ones.
 */
type Phase = 'starting' | 'serving' | 'leaving' | 'stopping'

/** The current phase of a service. Its owner advances it; the request steps read it. */
export class ServicePhase {
  current: Phase = 'starting'

  /** Whether answers should close their connection. */
  get endsConnections(): boolean {
    return this.current === 'leaving' || this.current === 'stopping'
  }
}
