import { registryContract } from '@skillpass/contract'
import { callerOf } from '../../agents/routes/authenticate.ts'
import { forRequest } from '../../audit/for-request.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { fail } from '../../errors/failure.ts'
import { ok, router } from '../../http/handlers.ts'
import { answerFindings } from '../quarantine.ts'
import { serializeQuarantine } from '../serialize/quarantine.ts'

export const quarantineRoutes = (ctx: RegistryContext) =>
  router(registryContract.quarantine, {
    answer: async ({ params, body, req, res }) => {
      const answered = await answerFindings(forRequest(ctx, req), callerOf(res), params.id, body)
      return ok({ data: serializeQuarantine(ctx, answered) ?? fail('CONFLICT') })
    },
  })
