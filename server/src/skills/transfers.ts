import { isStorable, repositoriesPerAgent } from '@skillpass/contract'
import { requireLiveCaller } from '../agents/api-keys.ts'
import { agentParty, record } from '../audit/record.ts'
import { recordRepository } from '../audit/record-change.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { dayLength } from '../runtime/time.ts'
import { findAgent, findAgentByUsername } from '../store/agents/agents.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import { findMemberRole, findRole, listMemberships } from '../store/agents/members.ts'
import * as store from '../store/organizations/transfers.ts'
import {
  countRepositoriesOfOwner,
  findOwnRepository,
  findRepository,
  findRepositoryAt,
  type RepositoryRecord,
} from '../store/registry/repositories.ts'
import { writeChange } from '../store/registry/revision.ts'
import { listShownSkills } from '../store/registry/skills.ts'
import { changeOwner, failMissing, pathOf, requireRepository } from './repositories.ts'

const lifetime = 7 * dayLength

/** Offers a repository to an agent or organization. It replaces an earlier offer. */
export const createTransfer = (ctx: RegistryContext, agent: KeyHolder, id: string, name: string) =>
  writeChange(ctx.db, async (trx) => {
    await requireLiveCaller(ctx, trx, agent)
    const found = await findRepository(trx, id)
    const { repository } = await requireRepository(trx, agent, id, found, 'owner')
    const to = isStorable(name) ? await findAgentByUsername(trx, name.toLowerCase()) : undefined
    if (!to) fail('NOT_FOUND', `There is no agent or organization named ${name}.`)
    // The new owner alone learns of its private repositories, when it accepts.
    const taken = await findRepositoryAt(trx, to.username, repository.name)
    if (taken?.visibility === 'public') failTaken(taken)
    const createdAt = ctx.clock.now()
    const times = { createdAt, expiresAt: createdAt + lifetime }
    const transfer = { id: ctx.random.uuid(), ...times }
    const parties = { repositoryId: id, toId: to.id, requestedBy: agent.id }
    await store.insertTransfer(trx, { ...transfer, ...parties })
    return { ...transfer, repoId: id, from: pathOf(repository), to: to.username }
  })

/** Throws CONFLICT if an owner has a repository of this name or too many. */
async function refuseTaken(trx: Db, { name }: RepositoryRecord, owner: string): Promise<void> {
  const taken = await findRepositoryAt(trx, owner, name)
  if (taken) failTaken(taken)
  const count = await countRepositoriesOfOwner(trx, owner)
  if (count >= repositoriesPerAgent) {
    fail('CONFLICT', `${owner} has ${count} repositories, which is the limit.`)
  }
}

function failTaken({ owner, name }: RepositoryRecord): never {
  fail('CONFLICT', `${owner} has a repository named ${name}. It must be deleted or renamed first.`)
}

/** Lists the transfers to and from an agent and the organizations that it owns. */
export async function listTransfers(ctx: RegistryContext, { id }: KeyHolder) {
  const owned = (await listMemberships(ctx.db.read, id)).filter(({ role }) => role === 'owner')
  const owners = [id, ...owned.map(({ organizationId }) => organizationId)]
  const found = await store.listTransfers(ctx.db.read, owners, ctx.clock.now())
  return found.map(({ owner, name, fromId: _, toId: __, requestedBy: ___, ...shown }) => ({
    ...shown,
    from: `${owner}/${name}`,
  }))
}

/** Gives a repository to the owner that accepts it, with its skills, votes and stars. */
export async function acceptTransfer(ctx: RegistryContext, agent: KeyHolder, id: string) {
  const { moved, skills } = await writeChange(ctx.db, async (trx, revision) => {
    await requireLiveCaller(ctx, trx, agent)
    const transfer = await findOwn(ctx, trx, agent, id, ['toId'])
    // Who offered it may have been removed since.
    const offering = await findMemberRole(trx, transfer.requestedBy, transfer.fromId)
    if (offering !== 'owner') failNoTransfer()
    const before = (await findRepository(trx, transfer.repoId)) ?? failMissing(transfer.repoId)
    const to = (await findAgent(trx, transfer.toId)) ?? failNoTransfer()
    await refuseTaken(trx, before, to.username)
    await store.moveRepository(trx, before, to, { now: ctx.clock.now(), revision })
    await changeOwner(trx, ['repository_id', before.id], to.id, revision)
    await store.deleteTransfer(trx, id)
    const moved = (await findOwnRepository(trx, before.id)) ?? failMissing(before.id)
    await recordRepository(ctx, trx, revision, before, moved)
    const [who, whom] = [agentParty(agent.id), { kind: 'repository', id: before.id } as const]
    const note = `${pathOf(before)} to ${pathOf(moved)}`
    await record(ctx, trx, { action: 'repository.transferred', who, whom, note })
    return { moved, skills: await listShownSkills(trx, 'repository_id', before.id) }
  })
  for (const skill of skills) ctx.catalogue.put(skill)
  return moved
}

/** Ends a transfer: either side declines or cancels it. */
export const deleteTransfer = (ctx: RegistryContext, agent: KeyHolder, id: string) =>
  writeChange(ctx.db, async (trx) => {
    await requireLiveCaller(ctx, trx, agent)
    await findOwn(ctx, trx, agent, id, ['toId', 'fromId'])
    await store.deleteTransfer(trx, id)
  })

/** Returns a transfer of which the agent owns one of the sides. Throws NOT_FOUND. */
async function findOwn(
  ctx: RegistryContext,
  trx: Db,
  agent: KeyHolder,
  id: string,
  sides: readonly ('toId' | 'fromId')[],
) {
  const transfer = (await store.findTransfer(trx, id, ctx.clock.now())) ?? failNoTransfer()
  const roles = await Promise.all(
    sides.map((side) => findRole(trx, agent, { agentId: transfer[side] })),
  )
  return roles.includes('owner') ? transfer : failNoTransfer()
}

function failNoTransfer(): never {
  fail('NOT_FOUND', 'There is no such transfer. It may have expired or been replaced.')
}
