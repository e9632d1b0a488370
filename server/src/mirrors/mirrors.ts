import type { MemberRole } from '@skillpass/contract'
import { requireOrganization } from '../agents/organizations.ts'
import { currentOperator, record } from '../audit/record.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import type { Mirror } from '../store/organizations/mirrors.ts'
import * as store from '../store/organizations/mirrors.ts'
import { findOrganization, updateOrganization } from '../store/organizations/organizations.ts'
import { touchOneSkill, writeChange } from '../store/registry/revision.ts'
import { readProblems } from './follow.ts'

interface NewMirror {
  /** Username of the organization. */
  readonly into: string
  /** Pause between two runs, ms. */
  readonly every: number
  /** API key for the source. */
  readonly key: string | undefined
  /** Whether an owner must approve every version of the organization from now on. */
  readonly approve: boolean
}

/** Lets an organization publish what a source has. Servers begin at once. */
export async function addMirror(ctx: OperatorContext, { href: url }: URL, added: NewMirror) {
  const { into, every, key, approve } = added
  const found = await findOrganization(ctx.db.read, into.toLowerCase())
  if (!found) fail('NOT_FOUND', `There is no organization ${into}. An agent must create it first.`)
  const id = ctx.random.uuid()
  const mirror = {
    ...{ id, organizationId: found.id, url, every, cursor: null, nextRunAt: 0, lastRunAt: null },
    ...{ result: null, problems: '[]' },
    apiKey: key === undefined ? null : ctx.encryption.seal('mirror-key', id, key),
  }
  await writeChange(ctx.db, async (trx, revision) => {
    if (!(await store.insertMirror(trx, mirror))) {
      fail('CONFLICT', `${found.username} has a mirror of ${url}. Remove it first.`)
    }
    if (approve) await updateOrganization(trx, found.id, { ...found, approval: 'versions' })
    await touchOneSkill(trx, 'agent_id', found.id, revision)
    const note = `${url}${approve ? ', approval: versions' : ''}`
    const whom = { kind: 'organization', id: found.id } as const
    await record(ctx, trx, { action: 'mirror.added', who: currentOperator(), whom, note })
  })
  return { id, url, organization: found.username }
}

/** Ends a mirror. The skills that it published stay. */
export const removeMirror = (ctx: OperatorContext, { id, url, organizationId }: Mirror) =>
  ctx.db.write(async (trx) => {
    await store.deleteMirror(trx, id)
    const whom = { kind: 'organization', id: organizationId } as const
    await record(ctx, trx, { action: 'mirror.removed', who: currentOperator(), whom, note: url })
  })

/** Lets servers run a mirror at once, and compare all skills. */
export const runMirror = ({ db }: OperatorContext, { id }: Mirror) =>
  db.write((trx) => store.updateMirror(trx, id, { nextRunAt: 0, cursor: null, result: null }))

/** Returns the mirrors with an id, an address or an organization, or all. */
export async function findMirrors({ db }: OperatorContext, name?: string) {
  const all = await store.listMirrors(db.read)
  const found = all.filter(
    ({ id, url, organization }) => name === undefined || [id, url, organization].includes(name),
  )
  if (name !== undefined && found.length === 0) fail('NOT_FOUND', `There is no mirror ${name}.`)
  return found
}

/** Returns what people may see of a mirror. */
export const showMirror = (mirror: Mirror) => ({
  ...{ id: mirror.id, url: mirror.url, organization: mirror.organization },
  ...{ lastRunAt: mirror.lastRunAt, result: mirror.result },
  problems: readProblems(mirror).map(([, problem]) => problem),
})

/** Returns the mirrors of an organization, or one of them, for a member with a role. */
export async function ownMirrors(
  ctx: OperatorContext,
  caller: KeyHolder,
  { username, id }: { username: string; id?: string },
  least: MemberRole,
) {
  const organization = await requireOrganization(ctx.db.read, caller, username, least)
  const found = await findMirrors(ctx)
  return found.filter((one) => one.organizationId === organization.id && one.id === (id ?? one.id))
}
