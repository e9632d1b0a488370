import { createAgent } from '../../agents/agents.ts'
import { agentParty, currentOperator, record } from '../../audit/record.ts'
import { UniqueViolation } from '../../db/errors.ts'
import { Failure } from '../../errors/failure.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import type { Random } from '../../secrets/random.ts'
import { hashSecret, randomBase62, type Secret, secretPrefix } from '../../secrets/secrets.ts'
import { findAgentByUsername, vouchForAgent } from '../../store/agents/agents.ts'
import { replaceRegistrationKey } from '../../store/agents/api-keys.ts'
import { findUsersNamed, type Role } from '../../store/platform/users.ts'
import { ownerExists } from '../../store/registry/repositories.ts'
import { type AppliedApp, applyApprovals, applyApps } from './apps.ts'
import { type ApplyContext, createProblemList, Declaration, parseDeclared } from './declaration.ts'
import { fixedPaths, withFixedIds } from './fixed.ts'
import { applyOrganizations } from './organizations.ts'
import { type AppliedAccount, applyAccounts, hashPasswords } from './people.ts'

export type { DeclarationInput } from './declaration.ts'

/** Everything that a declaration names, with ids and with the secrets that this run created. */
export interface Applied {
  accounts: AppliedAccount[]
  apps: AppliedApp[]
  agents: { username: string; id: string; apiKey?: Secret }[]
  organizations: { username: string; id: string }[]
  /** Declared approvals that were not made, each with a remedy. */
  warnings: string[]
}

/** Attempts, since a concurrent run of the same file may create the same names first. */
const maxAttempts = 3

/**
 * Creates or updates everything in a declaration, in one transaction. Existing items are found by
 * name. Throws an error with one line per problem.
 */
export const applyDeclaration = async (ctx: OperatorContext, input: unknown): Promise<Applied> =>
  applyParsed(ctx, parseDeclared(Declaration, input))

export async function applyParsed(
  ctx: OperatorContext,
  declaration: Declaration,
): Promise<Applied> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce(ctx, declaration)
    } catch (error) {
      if (!isConflict(error) || attempt === maxAttempts) throw error
    }
  }
}

const isConflict = (error: unknown) =>
  error instanceof UniqueViolation || (error instanceof Failure && error.code === 'CONFLICT')

async function applyOnce(ctx: OperatorContext, declaration: Declaration): Promise<Applied> {
  const hashes = await hashPasswords(ctx, declaration)
  return ctx.db.write(async (trx) => {
    const { throwIfAny, ...problems } = createProblemList()
    if (ctx.config.environment === 'production') {
      for (const path of fixedPaths(declaration)) {
        problems.addProblem(path, 'cannot be declared in production')
      }
    }
    const who = currentOperator()
    const note: ApplyContext['note'] = (event) => record(ctx, trx, { who, ...event })
    const applyCtx = { ...ctx, ...problems, trx, note }
    const accounts = await applyAccounts(applyCtx, declaration, hashes)
    const apps = await applyApps(applyCtx, declaration)
    const warnings = await applyApprovals(applyCtx, declaration)
    const agents = await applyAgents(applyCtx, declaration)
    const organizations = await applyOrganizations(applyCtx, declaration)
    throwIfAny()
    await note({ action: 'operator.apply' })
    return { accounts, apps, agents, organizations, warnings }
  })
}

async function applyAgents(ctx: ApplyContext, declaration: Declaration) {
  const { trx, addProblem, note } = ctx
  const applied: Applied['agents'] = []
  for (const [index, agent] of declaration.agents.entries()) {
    const known = await findAgentByUsername(trx, agent.username)
    const isOrganization = known?.kind === 'organization'
    if (isOrganization || (!known && (await ownerExists(trx, agent.username)))) {
      const what = isOrganization ? 'an organization' : 'the owner of imported skills'
      const message = `"${agent.username}" is ${what}`
      addProblem(['agents', index, 'username'], message)
      continue
    }
    ctx.checkId(['agents', index, 'id'], agent.id, known?.id)
    const ownCtx = withFixedIds(ctx, agent.id)
    const { username, id, ...rest } = known ?? (await createAgent(ownCtx, trx, agent, 'operator'))
    const { apiKey = 'apiKey' in rest ? rest.apiKey : undefined } = agent
    if (agent.apiKey !== undefined) {
      const stored = { keyHash: hashSecret(agent.apiKey), keyPrefix: secretPrefix(agent.apiKey) }
      await replaceRegistrationKey(trx, id, stored)
    }
    const whom = agentParty(id)
    if (!known) await note({ action: 'agent.registered', whom })
    else if (agent.operator && (await vouchForAgent(trx, id))) {
      await note({ action: 'agent.changed', whom, note: 'operator' })
    }
    applied.push(apiKey === undefined ? { username, id } : { username, id, apiKey })
  }
  return applied
}

/** In base 62 characters: 119 bits of entropy. */
const passwordLength = 20

export const randomPassword = (random: Random): string => randomBase62(random, passwordLength)

/**
 * Adds a user with a random password, which is part of the result. Creates the account if it does
 * not exist. Throws an error with one line per problem.
 */
export async function addUser(
  ctx: OperatorContext,
  { email, account, role }: { email: string; account: string; role: Role },
) {
  const users = await findUsersNamed(ctx.db.read, email)
  if (users.some(({ accountName }) => accountName === account)) {
    throw new Error(
      `${email} is already a user of ${account}. Change the password with skillpass-server user set-password, or the role with skillpass-server apply.`,
    )
  }
  const password = randomPassword(ctx.random)
  const declaration = { accounts: [{ name: account, users: [{ email, role, password }] }] }
  const applied = await applyDeclaration(ctx, declaration).catch((error: unknown) => {
    throw error instanceof Error ? new Error(namePlacesAsOptions(error.message)) : error
  })
  const [{ id: accountId, users: [user] = [] } = { id: '' }] = applied.accounts
  if (!user) throw new Error(`${email} was not added.`)
  return { ...user, role, accountId, accountName: account, password }
}

/** Replaces places in the declaration with the names of the command's options. */
const namePlacesAsOptions = (lines: string): string =>
  lines.replace(/^accounts\[0\]\.users\[0\]\./gm, '').replace(/^accounts\[0\]\.name/gm, 'account')
