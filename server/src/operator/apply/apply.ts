import { createAgent } from '../../agents/agents.ts'
import { findAgentByUsername, vouchForAgent } from '../../agents/store/agents.ts'
import { currentOperator } from '../../audit/operator.ts'
import { record } from '../../audit/record.ts'
import type { AppContext } from '../../context.ts'
import { UniqueViolation } from '../../db/errors.ts'
import { Failure } from '../../errors/failure.ts'
import { ownerExists } from '../../skills/store/repositories.ts'
import { type AppliedApp, applyApprovals, applyApps } from './apps.ts'
import { type Applying, createReport, type Declaration, parseDeclaration } from './declaration.ts'
import { type AppliedAccount, applyAccounts, hashPasswords } from './people.ts'

export type { DeclarationInput } from './declaration.ts'

/** What a declaration names, with ids; and with secrets, where this run made them. */
export interface Applied {
  accounts: AppliedAccount[]
  apps: AppliedApp[]
  agents: { username: string; id: string; apiKey?: string }[]
  /** What was left as it is, and how to change it. */
  warnings: string[]
}

type Context = Pick<AppContext, 'clock' | 'config' | 'db' | 'encryption' | 'random'>

/** Runs of the same file at the same time: one makes, the others find what was made. */
const maxAttempts = 3

/**
 * Makes what a declaration says, all of it or nothing. What exists by name is brought to what the
 * declaration says. Throws an error whose lines name the places that cannot be made.
 */
export async function applyDeclaration(ctx: Context, input: unknown): Promise<Applied> {
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

async function applyOnce(ctx: Context, declaration: Declaration): Promise<Applied> {
  const hashes = await hashPasswords(ctx, declaration)
  return ctx.db.write(async (trx) => {
    const { refuse, check } = createReport()
    const applying = { ...ctx, trx, refuse }
    const accounts = await applyAccounts(applying, declaration, hashes)
    const apps = await applyApps(applying, declaration)
    const warnings = await applyApprovals(applying, declaration)
    const agents = await applyAgents(applying, declaration)
    check()
    const who = currentOperator()
    await record({ ...ctx, network: null }, trx, { action: 'operator.apply', who })
    return { accounts, apps, agents, warnings }
  })
}

async function applyAgents(ctx: Applying, declaration: Declaration): Promise<Applied['agents']> {
  const { trx, refuse } = ctx
  const applied: Applied['agents'] = []
  for (const [index, agent] of declaration.agents.entries()) {
    const known = await findAgentByUsername(trx, agent.username)
    if (!known && (await ownerExists(trx, agent.username))) {
      refuse(['agents', index, 'username'], `"${agent.username}" owns imported skills`)
      continue
    }
    const { username, id, ...rest } = known ?? (await createAgent(ctx, trx, agent, 'operator'))
    if (agent.operator) await vouchForAgent(trx, id)
    applied.push('apiKey' in rest ? { username, id, apiKey: rest.apiKey } : { username, id })
  }
  return applied
}
