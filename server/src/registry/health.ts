import { registryContract } from '@skillpass/contract'
import type { RegistryContext } from '../discovery/context.ts'
import { ok, router } from '../http/handlers.ts'
import { checkHealth } from '../http/operators.ts'

export const healthRoutes = (ctx: RegistryContext) =>
  router(registryContract.health, {
    check: async ({ res }) => {
      res.setHeader('Cache-Control', 'no-store')
      const health = await checkHealth(ctx)
      if (health.status === 'ok') return ok(health)
      res.setHeader('Retry-After', 2)
      return { status: 503, body: health }
    },
  })
