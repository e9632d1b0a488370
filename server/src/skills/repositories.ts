import {
  isStorable,
  type MemberRole,
  type registryContract,
  repositoriesPerAgent,
} from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/api-keys.ts'
import { requireOrganization } from '../agents/organizations.ts'
import { agentParty, record } from '../audit/record.ts'
import { recordRepository } from '../audit/record-change.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Reader } from '../catalogue/reader.ts'
import { failNoRole, requireRole } from '../catalogue/roles.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { type AgentRecord, findAgent } from '../store/agents/agents.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import type { Visibility } from '../store/agents/members.ts'
import { findAgentNetwork } from '../store/agents/networks.ts'
import { reassignJudgedTexts } from '../store/registry/judged-texts.ts'
import { excludeOwnJudgements } from '../store/registry/judgements.ts'
import * as store from '../store/registry/repositories.ts'
import { writeChange } from '../store/registry/revision.ts'
import { listShownSkills } from '../store/registry/skills.ts'

type Contract = (typeof registryContract)['repositories']

/** Lists the repositories of an agent and of its organizations, as far as its key reaches. */
export async function listRepositories(
  { db }: RegistryContext,
  reader: Reader,
  { page, limit, owner }: { page: number; limit: number; owner?: string | undefined },
) {
  const start = (page - 1) * limit
  const total = await store.countOwnRepositories(db.read, { ...reader, owner })
  const repositories = await store.listOwnRepositories(db.read, { ...reader, owner, start, limit })
  return { repositories, total, page, limit, hasMore: start + limit < total }
}

/** Throws NOT_FOUND, or FORBIDDEN for another owner's public repository. */
export async function getRepository({ db }: RegistryContext, agent: KeyHolder, id: string) {
  const found = await store.findOwnRepository(db.read, id)
  return (await requireRepository(db.read, agent, id, found, 'reader')).repository
}

/** Returns the caller's view of the repository at an address, compared case-insensitively. */
export async function findRepositoryNamed(
  { db, catalogue }: RegistryContext,
  { owner, repo }: { owner: string; repo: string },
) {
  if (![owner, repo].every(isStorable)) return undefined
  const found = await store.findRepositoryAt(db.read, owner, repo)
  return found && catalogue.mayRead(found) ? found : undefined
}

/** Creates an empty repository. Throws CONFLICT if the name is taken or the owner has too many. */
export const createRepository = (
  ctx: RegistryContext,
  agent: KeyHolder,
  { name: repo, ...input }: z.output<Contract['create']['body']>,
) =>
  writeChange(ctx.db, async (trx) => {
    await requireLiveCaller(ctx, trx, agent)
    const to = { ...input, repo }
    const { owner, repository } = await findDestination(trx, agent, to)
    if (repository) fail('CONFLICT', `The repository ${pathOf(repository)} already exists.`)
    const { id } = await makeRepository(ctx, trx, owner, to)
    return (await store.findOwnRepository(trx, id)) ?? failMissing(id)
  })

/** Makes all skills of a repository public or private. Throws unless an owner does. */
export async function changeVisibility(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  visibility: Visibility,
) {
  const changed = await writeChange(ctx.db, async (trx, revision) => {
    await requireLiveCaller(ctx, trx, agent)
    const found = await store.findOwnRepository(trx, id)
    const { repository } = await requireRepository(trx, agent, id, found, 'owner')
    if (repository.visibility === visibility) return { repository, skills: [] }
    await store.setVisibility(trx, id, visibility, revision)
    const [who, whom] = [agentParty(agent.id), { kind: 'repository', id } as const]
    const note = `${pathOf(repository)}: ${visibility}`
    await record(ctx, trx, { action: 'repository.visibility-changed', who, whom, note })
    const changed = { ...repository, visibility }
    await recordRepository(ctx, trx, revision, repository, changed)
    return { repository: changed, skills: await listShownSkills(trx, 'repository_id', id) }
  })
  for (const skill of changed.skills) ctx.catalogue.put(skill)
  return changed.repository
}

/** Gives judged texts of skills to a new owner, whose own votes and stars no longer count there. */
export async function changeOwner(
  trx: Db,
  skills: Parameters<typeof reassignJudgedTexts>[1],
  id: string,
  revision: number,
): Promise<void> {
  await reassignJudgedTexts(trx, skills, id)
  const { network } = await findAgentNetwork(trx, id)
  await excludeOwnJudgements(trx, { id, network }, revision)
}

/** Where to publish: a repository by its id, or by its owner and name. */
export interface Destination {
  readonly repoId?: string | null | undefined
  /** The default is the caller. */
  readonly owner?: string | undefined
  readonly repo?: string | undefined
}

/**
 * Returns the owner of a destination, and its repository if it exists. Throws unless the agent may
 * publish there.
 */
export async function findDestination(
  db: Db,
  agent: KeyHolder,
  { repoId, owner = agent.username, repo = 'skills' }: Destination,
): Promise<{ owner: Owner; repository: store.RepositoryRecord | undefined }> {
  if (typeof repoId === 'string') {
    return requireRepository(db, agent, repoId, await store.findRepository(db, repoId), 'publisher')
  }
  const repository = await store.findRepositoryAt(db, owner, repo)
  if (repository?.visibility === 'public' || repository?.agentId === agent.id) {
    return requireRepository(db, agent, repository.id, repository, 'publisher')
  }
  // The error is the same whether or not somebody else has a private repository there.
  if (owner.toLowerCase() === agent.username && agent.kind === 'agent') {
    await requireRole(db, agent, { agentId: agent.id, owner }, 'publisher')
    return { owner: agent, repository: undefined }
  }
  const organization = await requireOrganization(db, agent, owner, 'publisher')
  return { owner: organization, repository }
}

/** An agent, or an organization with its default. */
type Owner = AgentRecord & { readonly defaultVisibility?: Visibility }

/**
 * Returns the repository of a destination, created if it is missing, and its owner. Throws CONFLICT
 * if it has another visibility than the requested one.
 */
export async function ensureDestination(
  ctx: RegistryContext,
  trx: Db,
  agent: KeyHolder,
  to: Destination & { readonly visibility?: Visibility | undefined },
) {
  const { owner, repository } = await findDestination(trx, agent, to)
  if (!repository) return { owner, repository: await makeRepository(ctx, trx, owner, to) }
  if (to.visibility !== undefined && to.visibility !== repository.visibility) {
    fail(
      'CONFLICT',
      `The repository ${pathOf(repository)} is ${repository.visibility}. Leave out visibility, or change it with PATCH /api/v1/repos/${repository.id}.`,
    )
  }
  return { owner, repository }
}

async function makeRepository(
  { clock, random }: RegistryContext,
  trx: Db,
  { id: agentId, username: owner, defaultVisibility = 'public' }: Owner,
  {
    repo: name = 'skills',
    visibility = defaultVisibility,
  }: Parameters<typeof ensureDestination>[3],
): Promise<store.RepositoryRecord> {
  const count = await store.countRepositoriesOfOwner(trx, owner)
  if (count >= repositoriesPerAgent) {
    fail('CONFLICT', `${owner} has ${count} repositories, which is the limit. Use one of them.`)
  }
  const [id, createdAt] = [random.uuid(), clock.now()]
  return store.ensureRepository(trx, { id, agentId, owner, name, visibility, createdAt })
}

/**
 * Returns a repository with its owner. Throws NOT_FOUND if there is none or if it is private and the
 * agent has no role, and FORBIDDEN if its role is less than `least`.
 */
export async function requireRepository<R extends store.RepositoryRecord>(
  db: Db,
  agent: KeyHolder,
  id: string,
  repository: R | undefined,
  least: MemberRole,
): Promise<{ owner: AgentRecord; repository: R }> {
  if (!repository) failMissing(id)
  const { agentId, visibility } = repository
  const owner = agentId === agent.id ? agent : ((await findAgent(db, agentId)) ?? failMissing(id))
  await requireRole(db, agent, repository, least, () => {
    if (visibility === 'private') failMissing(id)
    failNoRole(agent, `The repository ${pathOf(repository)} belongs to another owner.`)
  })
  return { owner, repository }
}

export const pathOf = ({ owner, name }: store.RepositoryRecord) => `${owner}/${name}`

export function failMissing(id: string): never {
  fail('NOT_FOUND', `There is no repository ${id}.`)
}
