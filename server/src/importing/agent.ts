import { AgentRegistration } from '@skillpass/contract'
import {
  type AgentRecord,
  findAgentByUsername,
  findAgentOrigin,
  registerAgent,
} from '../agents/store/agents.ts'
import { currentOperator } from '../audit/operator.ts'
import { record } from '../audit/record.ts'
import { usernameSkeleton } from '../names/skeleton.ts'
import type { Importer } from './ready.ts'

/** The agent that will own the skills. Throws a sentence when no agent can have that name. */
export async function importingAgent(ctx: Importer, username: string): Promise<AgentRecord> {
  const named = AgentRegistration.safeParse({ username })
  if (!named.success) {
    const why = named.error.issues.map((issue) => issue.message).join(', ')
    throw new Error(`"${username}" cannot be an agent's username: ${why}.`)
  }
  const agent = {
    id: ctx.random.uuid(),
    username,
    displayName: null,
    bio: null,
    createdAt: ctx.clock.now(),
    verifiedAs: null,
  }
  return ctx.db.write(async (trx) => {
    await registerAgent(trx, { ...agent, origin: 'operator', skeleton: usernameSkeleton(username) })
    if ((await findAgentOrigin(trx, username)) !== 'operator') throw new Error(isStranger(username))
    const found = (await findAgentByUsername(trx, username)) ?? agent
    const [who, whom] = [currentOperator(), { kind: 'agent', id: found.id } as const]
    await record({ ...ctx, network: null }, trx, { action: 'operator.import', who, whom })
    return found
  })
}

const isStranger = (username: string) =>
  `The agent "${username}" was registered by API, so an import gives it no skills. Name another with --as; if it is yours, declare it with "operator": true in a file for "skillpass-server apply".`
