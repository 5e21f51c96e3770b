/**
 * How far the process has come. It answers requests in each phase but the last, and says that it is ready in
 * `serving` alone.
 *
 * - `starting`: it listens, and makes the first start.
 * - `leaving`: it has been asked to stop, and serves on until proxies have noticed.
 * - `stopping`: requests under way are finished, new ones refused.
 */
type Phase = 'starting' | 'serving' | 'leaving' | 'stopping'

/** The phase of one service. Its owner moves it forward; the steps of requests read it. */
export class ServicePhase {
  current: Phase = 'starting'

  /** Whether an answer should end its connection. */
  get endsConnections(): boolean {
    return this.current === 'leaving' || this.current === 'stopping'
  }
}
