import type { Clock } from './clock.ts'
import type { Database } from './database.ts'

type Holder = { readonly instanceId: string; readonly clock: Clock }

/**
 * Takes or renews the named lease for `forMs`. True if this process now holds it and does the work of all
 * nodes. The holder's clock is the database's (`Instance.clock`).
 */
export async function holdLease(
  { queries }: Database,
  name: 'housekeeping',
  { instanceId, clock }: Holder,
  forMs: number,
): Promise<boolean> {
  const nowMs = clock()
  const lease = { instance_id: instanceId, ends_at_ms: nowMs + forMs }
  const held = await queries
    .insertInto('leases')
    .values({ name, ...lease })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet(lease)
        .where(is => is.or([is('leases.instance_id', '=', instanceId), is('leases.ends_at_ms', '<=', nowMs)])),
    )
    .returning('name')
    .executeTakeFirst()
  return held !== undefined
}

/** Releases the leases of a process that stops, so that the next one need not wait for their expiry. */
export async function releaseLeases({ queries }: Database, instanceId: string): Promise<void> {
  await queries.deleteFrom('leases').where('instance_id', '=', instanceId).execute()
}
