import { newPublishableKeySchema, type PublishableKeyList, type PublishableKeyResource } from '@vitrine/contract'
import { z } from 'zod'
import { notFound } from '../../errors/dashboard-error.ts'
import type { PublishableKey, WantedPublishableKey } from '../../publishable-keys/publishable-keys.ts'
import { noteEvent } from '../account-events.ts'
import type { RegisterRoutes } from '../dashboard-services.ts'
import { isoOf, isoOrNull } from '../resources.ts'

const keyParameters = z.object({ keyId: z.string().max(64) })

export const registerPublishableKeyRoutes: RegisterRoutes = (app, services, findVisitor) => {
  const { pagePacks, publishableKeys } = services

  app.get('/dashboard/api/publishable-keys', async (request): Promise<PublishableKeyList> => {
    const { accountId } = (await findVisitor(request)).account
    const keys = await publishableKeys.list(accountId)
    return { keys: keys.map(resourceOf) }
  })

  app.post('/dashboard/api/publishable-keys', async (request): Promise<PublishableKeyResource> => {
    const { account } = await findVisitor(request)
    const wanted = newPublishableKeySchema.parse(request.body)
    const made = await publishableKeys.create(wantedOf(account.accountId, wanted))
    noteEvent(services, request, { account, action: 'publishable_key_created', target: made.keyId })
    pagePacks.makeAhead(made)
    return resourceOf(made)
  })

  app.post('/dashboard/api/publishable-keys/:keyId', async (request): Promise<PublishableKeyResource> => {
    const { account } = await findVisitor(request)
    const { keyId } = keyParameters.parse(request.params)
    const { accountId } = account
    // Checked first, so that validation errors reveal nothing about keys of others.
    if (!(await publishableKeys.has(accountId, keyId))) throw notFound('key')
    const wanted = newPublishableKeySchema.parse(request.body)
    const changed = await publishableKeys.change(keyId, wantedOf(accountId, wanted))
    if (changed === null) throw notFound('key')
    noteEvent(services, request, { account, action: 'publishable_key_changed', target: keyId })
    pagePacks.makeAhead(changed)
    return resourceOf(changed)
  })

  app.post('/dashboard/api/publishable-keys/:keyId/revoke', async request => {
    const { account } = await findVisitor(request)
    const { keyId } = keyParameters.parse(request.params)
    const { accountId } = account
    if ((await publishableKeys.revoke({ keyId, accountId })) === null) {
      // If it was already revoked, it stays revoked.
      if (!(await publishableKeys.has(accountId, keyId))) throw notFound('key')
      return {}
    }
    noteEvent(services, request, { account, action: 'publishable_key_revoked', target: keyId })
    return {}
  })
}

function wantedOf(accountId: string, wanted: z.output<typeof newPublishableKeySchema>): WantedPublishableKey {
  return {
    accountId,
    name: wanted.name,
    origins: wanted.origins,
    templateIds: wanted.template_ids,
    widthPx: wanted.width,
    watermark: wanted.watermark,
    loadsPerDay: wanted.loads_per_day,
  }
}

function resourceOf(key: PublishableKey): PublishableKeyResource {
  return {
    id: key.keyId,
    name: key.name,
    key: key.key,
    origins: [...key.origins],
    template_ids: key.templateIds === null ? null : [...key.templateIds],
    width: key.widthPx,
    watermark: key.watermark,
    loads_per_day: key.loadsPerDay,
    created_at: isoOf(key.createdAtMs),
    revoked_at: isoOrNull(key.revokedAtMs),
  }
}
