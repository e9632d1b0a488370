import { registryContract } from '@skillpass/contract'
import { from } from '../../audit/origin.ts'
import { fail } from '../../errors/failure.ts'
import { ok, router } from '../../http/handlers.ts'
import type { RegistryContext } from '../catalogue/context.ts'
import { answerFindings } from '../moderation/quarantine.ts'
import { serializeQuarantine } from '../serialize/quarantine.ts'
import { callerOf } from './authenticate.ts'

export const quarantineRoutes = (ctx: RegistryContext) =>
  router(registryContract.quarantine, {
    answer: async ({ params, body, req, res }) => {
      const answered = await answerFindings(from(ctx, req), callerOf(res), params.id, body)
      return ok({ data: serializeQuarantine(ctx, answered) ?? fail('CONFLICT') })
    },
  })
