import { type registryContract, webhooksPerOrganization } from '@skillpass/contract'
import type { z } from 'zod'
import { changeOrganization, recordOn, requireOrganization } from '../agents/organizations.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { fail, refuseField } from '../errors/failure.ts'
import { checkPublicAddress } from '../runtime/outbound/address.ts'
import { createSecret } from '../secrets/secrets.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import * as store from '../store/organizations/webhooks.ts'
import { listDeliveriesOf } from '../store/webhooks.ts'

type Creation = z.output<(typeof registryContract)['webhooks']['create']['body']>

/** Lists the webhooks of an organization with the newest delivery of each. */
export async function listWebhooks({ db }: RegistryContext, caller: KeyHolder, username: string) {
  const { id } = await requireOrganization(db.read, caller, username, 'owner')
  const webhooks = await store.listWebhooks(db.read, id)
  const newest = { before: undefined, limit: 1 }
  return Promise.all(
    webhooks.map(async (webhook) => {
      const [delivery] = await listDeliveriesOf(db.read, webhook.id, newest)
      return { webhook, delivery }
    }),
  )
}

/** Creates a webhook. Its secret is only in this response. Throws VALIDATION_ERROR or CONFLICT. */
export async function createWebhook(
  ctx: RegistryContext,
  caller: KeyHolder,
  username: string,
  { url, events }: Creation,
) {
  const problem = ctx.config.allowsPrivateWebhooks ? undefined : checkPublicAddress(new URL(url))
  if (problem !== undefined) refuseField('body', 'url', problem)
  const [id, secret] = [ctx.random.uuid(), createSecret('organizationWebhook', ctx.random)]
  const sealed = ctx.encryption.seal('webhook-secret', id, secret)
  const about = { id, url, events: [...new Set(events)].join(' '), secret: sealed }
  return changeOrganization(ctx, caller, username, 'owner', async (trx, organization) => {
    if ((await store.listWebhooks(trx, organization.id)).length >= webhooksPerOrganization) {
      fail('CONFLICT', `${username} has ${webhooksPerOrganization} webhooks, which is the limit.`)
    }
    const webhook = { ...about, organizationId: organization.id, createdAt: ctx.clock.now() }
    await store.insertWebhook(trx, webhook)
    await recordOn(ctx, trx, 'webhook.created', caller, organization.id, `${id}: ${about.events}`)
    return { webhook, secret }
  })
}

/** Deletes a webhook and what it would still receive. */
export const deleteWebhook = (
  ctx: RegistryContext,
  caller: KeyHolder,
  username: string,
  id: string,
) =>
  changeOrganization(ctx, caller, username, 'owner', async (trx, organization) => {
    if ((await store.deleteWebhook(trx, organization.id, id)) === 0) {
      fail('NOT_FOUND', 'There is no webhook with this id.')
    }
    await recordOn(ctx, trx, 'webhook.deleted', caller, organization.id, id)
  })
