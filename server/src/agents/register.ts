import type { AgentRegistration } from '@skillpass/contract'
import type { z } from 'zod'
import { agentParty, record } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { fail } from '../errors/failure.ts'
import { askOperator } from '../runtime/config/config.ts'
import { networkKey, setAgentNetwork } from '../store/agents/networks.ts'
import { createAgent, refuseReserved } from './agents.ts'
import { useCode } from './invitations.ts'

type Registration = z.output<typeof AgentRegistration>

/**
 * Registers an agent with its first API key, whose plain text is only in this response. `network`
 * is its origin, if known. Throws VALIDATION_ERROR for reserved names, and CONFLICT for a name that
 * is taken or looks like a taken one, and FORBIDDEN if the operator wants an
 * invitation or no registrations.
 */
export async function registerAgent(
  ctx: RegistryContext,
  input: Registration,
  network: string | undefined,
) {
  refuseUninvited(ctx, input)
  refuseReserved(input)
  const networkOrigin = await networkKey(ctx.db.read, network)
  return ctx.db.write(async (trx) => {
    const agent = await createAgent(ctx, trx, input, 'api')
    if (networkOrigin !== '') await setAgentNetwork(trx, agent.id, networkOrigin)
    await record(ctx, trx, { action: 'agent.registered', who: agentParty(agent.id) })
    if (input.invitation)
      await useCode(ctx, trx, { ...agent, approval: 'none', verifiedAs: null }, input.invitation)
    return agent
  })
}

function refuseUninvited({ config }: RegistryContext, { invitation }: Registration): void {
  const ask = askOperator(config.operator)
  if (config.registration === 'closed') {
    fail('FORBIDDEN', `Nobody can register here. To get an API key, ${ask}.`)
  }
  if (config.registration === 'invited' && !invitation) {
    const remedy = `Ask an owner of an organization for a code and send it as invitation, or ${ask}.`
    fail('FORBIDDEN', `Registration requires an invitation. ${remedy}`)
  }
}
