import { isStorable, repositoriesPerAgent } from '@skillpass/contract'
import { requireLiveCaller } from '../agents/api-keys.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { failNoRole } from '../catalogue/require-skill.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { AgentRecord } from '../store/registry/agents.ts'
import { type KeyHolder, lockAgent } from '../store/registry/api-keys.ts'
import { findRole } from '../store/registry/members.ts'
import * as store from '../store/registry/repositories.ts'

export async function listRepositories(
  { db }: RegistryContext,
  { id }: Pick<AgentRecord, 'id'>,
  { page, limit }: { page: number; limit: number },
) {
  const start = (page - 1) * limit
  const total = await store.countRepositoriesOfAgent(db.read, id)
  const repositories = await store.listOwnRepositories(db.read, id, { start, limit })
  return { repositories, total, page, limit, hasMore: start + limit < total }
}

/** Throws NOT_FOUND, or FORBIDDEN for another agent's repository. */
export const getRepository = async ({ db }: RegistryContext, agent: KeyHolder, id: string) =>
  owned(db.read, agent, id, await store.findOwnRepository(db.read, id))

/** Returns the repository at an address, compared case-insensitively, or undefined. */
export const findRepositoryNamed = async (
  { db }: RegistryContext,
  { owner, repo }: { owner: string; repo: string },
) =>
  isStorable(owner) && isStorable(repo) ? store.findRepositoryAt(db.read, owner, repo) : undefined

/** Creates an empty repository. Throws CONFLICT if the name is taken or the agent has too many. */
export async function createRepository(ctx: RegistryContext, agent: KeyHolder, name: string) {
  const repository = newRepository(ctx, agent, name)
  const { id, owner } = repository
  return ctx.db.write(async (trx) => {
    await lockAgent(trx, agent.id)
    await requireLiveCaller(ctx, trx, agent)
    const count = await store.countRepositoriesOfOwner(trx, owner)
    if (count >= repositoriesPerAgent) {
      fail('CONFLICT', `You have ${count} repositories, which is the limit. Use one of them.`)
    }
    const isNew = await store.insertRepository(trx, repository)
    if (!isNew) fail('CONFLICT', `The repository ${owner}/${name} already exists.`)
    return owned(trx, agent, id, await store.findOwnRepository(trx, id))
  })
}

/** Returns the agent's repository `repoId`, or its default one, created on first use. */
export async function repositoryFor(
  ctx: RegistryContext,
  trx: Db,
  agent: KeyHolder,
  repoId?: string | null,
): Promise<store.RepositoryRecord> {
  if (typeof repoId === 'string') {
    return owned(trx, agent, repoId, await store.findRepository(trx, repoId))
  }
  const repository = await store.ensureRepository(trx, newRepository(ctx, agent, 'skills'))
  return owned(trx, agent, repository.id, repository)
}

const newRepository = (
  { clock, random }: RegistryContext,
  { id: agentId, username: owner }: AgentRecord,
  name: string,
) => ({
  id: random.uuid(),
  agentId,
  owner,
  name,
  visibility: 'public' as const,
  createdAt: clock.now(),
})

async function owned<R extends store.RepositoryRecord>(
  db: Db,
  agent: KeyHolder,
  id: string,
  repository: R | undefined,
): Promise<R> {
  const role = repository && (await findRole(db, agent, repository))
  if (!repository || (!role && repository.visibility === 'private')) {
    fail('NOT_FOUND', `There is no repository ${id}.`)
  }
  if (role === undefined || role === 'reader') {
    const address = `${repository.owner}/${repository.name}`
    failNoRole(agent, `The repository ${address} belongs to another agent.`)
  }
  return repository
}
