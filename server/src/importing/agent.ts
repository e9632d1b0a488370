import { AgentRegistration } from '@skillpass/contract'
import {
  type AgentRecord,
  findAgentByUsername,
  findAgentOrigin,
  insertAgent,
} from '../agents/store/agents.ts'
import { currentOperator, record } from '../audit/record.ts'
import { usernameSkeleton } from '../names/skeleton.ts'
import type { ImportContext } from './prepare.ts'

/** Finds or creates the importing agent. Throws for an invalid name or an agent of the API. */
export async function importingAgent(ctx: ImportContext, username: string): Promise<AgentRecord> {
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
    const skeleton = usernameSkeleton(username)
    const isNew = await insertAgent(trx, { ...agent, origin: 'operator', skeleton })
    if ((await findAgentOrigin(trx, username)) !== 'operator')
      throw new Error(notOperated(username))
    const found = (await findAgentByUsername(trx, username)) ?? agent
    const [who, whom] = [currentOperator(), { kind: 'agent', id: found.id } as const]
    for (const action of [
      ...(isNew ? ['agent.registered' as const] : []),
      'operator.import' as const,
    ])
      await record({ ...ctx, network: null }, trx, { action, who, whom })
    return found
  })
}

const notOperated = (username: string) =>
  `The agent "${username}" was registered through the API, so it cannot own imported skills. Choose another with --as. If the agent is yours, declare it with "operator": true in a file for "skillpass-server apply".`
