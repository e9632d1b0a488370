import { type AgentRegistration, isStorable } from '@skillpass/contract'
import type { z } from 'zod'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Reader } from '../catalogue/reader.ts'
import type { Db } from '../db/open.ts'
import { Failure, fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { createSecret, hashSecret, secretPrefix } from '../secrets/secrets.ts'
import type { AgentOrigin, AgentRecord } from '../store/agents/agents.ts'
import * as store from '../store/agents/agents.ts'
import { insertApiKey, unlimited } from '../store/agents/api-keys.ts'
import { ownerExists, ownerLooksLike } from '../store/registry/repositories.ts'
import { countAgentSkills, listAgentSkillIds } from '../store/registry/skills.ts'
import { isReservedName, isReservedTitle, reservedNameMessage } from '../text/reserved.ts'
import { usernameSkeleton } from '../text/skeleton.ts'
import { signingKeyOf } from './signing-keys.ts'
import { listProven } from './verifications.ts'

const skillsShown = 50

type Registration = z.output<typeof AgentRegistration>

/** Throws VALIDATION_ERROR for names that seem official. */
export function refuseReserved({ username, displayName }: Omit<Identity, 'kind'>): void {
  const details = [
    ...(isReservedName(username) ? ['username'] : []),
    ...(isReservedTitle(displayName ?? '') ? ['displayName'] : []),
  ].map((path) => ({ in: 'body' as const, path, message: reservedNameMessage }))
  if (details.length > 0) throw new Failure(400, { details })
}

/** Creates an agent with its first API key in the caller's transaction. Throws CONFLICT. */
export async function createAgent(
  ctx: OperatorContext,
  trx: Db,
  input: Registration,
  origin: AgentOrigin,
) {
  const agent = await insertIdentity(ctx, trx, { ...input, kind: 'agent' }, origin)
  const apiKey = createSecret('apiKey', ctx.random)
  await insertApiKey(trx, {
    id: ctx.random.uuid(),
    agentId: agent.id,
    name: 'registration',
    keyHash: hashSecret(apiKey),
    keyPrefix: secretPrefix(apiKey),
    access: 'full',
    expiresAt: null,
    isRegistration: 1,
    ...unlimited,
    sourceCommit: null,
    createdAt: agent.createdAt,
  })
  return { ...agent, apiKey }
}

type Identity = Pick<AgentRecord, 'username' | 'kind'> & Partial<Registration>

/** Creates an agent or organization without a key in the caller's transaction. Throws CONFLICT. */
export async function insertIdentity(
  ctx: OperatorContext,
  trx: Db,
  { username, displayName = null, bio = null, kind }: Identity,
  origin: AgentOrigin,
): Promise<Omit<AgentRecord, 'verifiedAs' | 'approval'>> {
  const agent = {
    id: ctx.random.uuid(),
    username,
    displayName,
    bio,
    createdAt: ctx.clock.now(),
    kind,
  }
  const skeleton = usernameSkeleton(username)
  // Owners of imported repositories need not be agents. Their names count as taken too, so that
  // nobody can publish under them. Only agents of the operator may have a name that looks like one.
  if (
    !(await store.insertAgent(trx, { ...agent, origin, skeleton })) ||
    (await (origin === 'api'
      ? ownerLooksLike(trx, { ownerSkeleton: skeleton })
      : ownerExists(trx, agent.username)))
  ) {
    fail(
      'CONFLICT',
      `The username "${agent.username}" is taken or looks like one that is. Choose another username.`,
    )
  }
  return agent
}

/** Returns the profile of an agent with counts of the skills that a reader may read. */
export const getProfile = async (
  ctx: RegistryContext,
  agent: AgentRecord,
  reader: Reader = { owners: [agent.id] },
) => ({
  agent,
  counts: await countAgentSkills(ctx.db.read, agent.id, reader),
  signingKey: await signingKeyOf(ctx, agent.id),
  verifications: await listProven(ctx, agent.id),
})

export type AgentProfile = Awaited<ReturnType<typeof getProfile>>

export async function getAgent(ctx: RegistryContext, id: string) {
  const agent = await store.findAgent(ctx.db.read, id)
  return publicProfile(ctx, agent ?? fail('NOT_FOUND', 'There is no agent with this id.'))
}

/** Returns the agent with this username, compared case-insensitively, or undefined. */
export const findAgentNamed = async ({ db }: RegistryContext, username: string) =>
  isStorable(username) ? store.findAgentByUsername(db.read, username.toLowerCase()) : undefined

export async function getAgentByUsername(ctx: RegistryContext, username: string) {
  const agent = await findAgentNamed(ctx, username)
  return publicProfile(ctx, agent ?? fail('NOT_FOUND', `There is no agent named ${username}.`))
}

async function publicProfile(ctx: RegistryContext, agent: AgentRecord) {
  const { reader } = ctx.catalogue
  const profile = await getProfile(ctx, agent, reader)
  const ids = await listAgentSkillIds(ctx.db.read, agent.id, reader, skillsShown)
  return { ...profile, skills: ids.flatMap((id) => ctx.catalogue.get(id) ?? []) }
}

export type PublicProfile = Awaited<ReturnType<typeof publicProfile>>
