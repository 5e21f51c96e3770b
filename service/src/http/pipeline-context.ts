import type { Logger } from 'pino'
import type { RequestLimits } from '../rate-limits/request-limits.ts'
import type { Services } from '../services.ts'
import type { TrustedProxies } from '../settings/setting-types.ts'
import type { HttpDeadlines } from './deadlines.ts'
import type { ServicePhase } from './service-phase.ts'

/** What the steps of the request pipeline need. */
export type PipelineContext = {
  readonly services: Pick<Services, 'apiKeys' | 'rateLimiter' | 'metrics' | 'telemetry' | 'usage' | 'requestLog'>
  readonly logger: Logger
  readonly deadlines: HttpDeadlines
  readonly limits: RequestLimits
  /** This process's connection limit. */
  readonly connectionsMax: number
  readonly trustedProxies: TrustedProxies
  /** Whether clients connect by https. */
  readonly isEncrypted: boolean
  readonly phase: ServicePhase
}
