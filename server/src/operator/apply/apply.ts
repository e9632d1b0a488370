import { currentOperator } from '../../audit/operator.ts'
import { record } from '../../audit/record.ts'
import type { AppContext } from '../../context.ts'
import { UniqueViolation } from '../../db/errors.ts'
import { Failure } from '../../errors/failure.ts'
import { createAgent } from '../../registry/agents.ts'
import {
  type AgentRecord,
  findAgentByUsername,
  vouchForAgent,
} from '../../registry/store/agents.ts'
import { ownerExists } from '../../registry/store/repositories.ts'
import { type AppliedApp, checkApprovedApps, planApps, writeApprovals, writeApps } from './apps.ts'
import { createReport, type Declaration, parseDeclaration } from './declaration.ts'
import { type AppliedAccount, hashPasswords, planAccounts, writeAccounts } from './people.ts'

export type { DeclarationInput } from './declaration.ts'

/** What a declaration names, with ids; and with secrets, where this run made them. */
export interface Applied {
  accounts: AppliedAccount[]
  apps: AppliedApp[]
  agents: { username: string; id: string; apiKey?: string }[]
  /** What was left as it is, and how to change it. */
  warnings: string[]
}

type Applying = Pick<AppContext, 'clock' | 'config' | 'db' | 'encryption' | 'random'>

/** Runs of the same file at the same time: one makes, the others find what was made. */
const maxAttempts = 3

/**
 * Makes what a declaration says, all of it or nothing. What exists by name is brought to what the
 * declaration says. Throws an error whose lines name the places that cannot be made.
 */
export async function applyDeclaration(ctx: Applying, input: unknown): Promise<Applied> {
  const declaration = parseDeclaration(input)
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce(ctx, declaration)
    } catch (error) {
      if (!isTaken(error) || attempt === maxAttempts) throw error
    }
  }
}

const isTaken = (error: unknown) =>
  error instanceof UniqueViolation || (error instanceof Failure && error.code === 'CONFLICT')

async function applyOnce(ctx: Applying, declaration: Declaration): Promise<Applied> {
  const { read } = ctx.db
  const { refuse, check } = createReport()
  const accounts = await planAccounts(read, declaration, refuse)
  const apps = await planApps(read, declaration, accounts, ctx.config, refuse)
  await checkApprovedApps(read, accounts, apps, refuse)
  const known = new Map<string, AgentRecord>()
  for (const [index, { username }] of declaration.agents.entries()) {
    const agent = await findAgentByUsername(read, username)
    if (agent) known.set(username, agent)
    else if (await ownerExists(read, username)) {
      refuse(['agents', index, 'username'], `"${username}" owns imported skills`)
    }
  }
  check()

  const hashes = await hashPasswords(ctx, accounts)
  return ctx.db.write(async (trx) => {
    const people = await writeAccounts(ctx, trx, accounts, hashes)
    const made = await writeApps(ctx, trx, apps, people)
    const warnings = await writeApprovals(ctx, trx, accounts, apps, people)
    const agents: Applied['agents'] = []
    for (const agent of declaration.agents) {
      const { username, id, ...rest } =
        known.get(agent.username) ?? (await createAgent(ctx, trx, agent, 'operator'))
      if (agent.operator) await vouchForAgent(trx, id)
      agents.push('apiKey' in rest ? { username, id, apiKey: rest.apiKey } : { username, id })
    }
    const who = currentOperator()
    await record({ ...ctx, network: null }, trx, { action: 'operator.apply', who })
    return { accounts: people, apps: made, agents, warnings }
  })
}
