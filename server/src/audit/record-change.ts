import type { Db } from '../db/open.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import { insertOwnersEvent } from '../store/organizations/webhooks.ts'
import { type EventBody, insertEvents, moveEvents } from '../store/registry/events.ts'
import type { RepositoryRecord } from '../store/registry/repositories.ts'
import { addressOf, type SkillRecord } from '../store/registry/skill-record.ts'
import { listShownSkills } from '../store/registry/skills.ts'

/** What happened to a skill or a repository. `details` can name another version of the skill. */
export interface Change {
  readonly type: EventBody['type']
  readonly on:
    | RepositoryRecord
    | Pick<SkillRecord, 'id' | 'slug' | 'version' | 'digest' | 'repository'>
  readonly details?: Partial<EventBody> | undefined
}

type ChangeContext = Pick<OperatorContext, 'clock' | 'random' | 'trace'>

/**
 * Writes events for `GET /api/v1/changes` (spec/registry.md#changes) and for webhooks of the owner,
 * in the transaction of the change, which holds `revision`.
 */
export async function recordChange(
  ctx: ChangeContext,
  trx: Db,
  revision: number,
  ...changes: readonly Change[]
): Promise<void> {
  // Nobody sees a skill without a current version.
  const seen = changes.filter(({ on }) => !('slug' in on) || on.version > 0)
  const events = seen.map((change) => eventOf(ctx, change))
  const sent = events.map(({ at, repository: { agentId: ownerId }, body }) => {
    const { type: event, at: timestamp } = body
    const { trace } = ctx
    const text = JSON.stringify({ type: event, timestamp, data: body })
    return insertOwnersEvent(trx, { id: ctx.random.uuid(), ownerId, event, body: text, at, trace })
  })
  await Promise.all([insertEvents(trx, revision, events), ...sent])
}

function eventOf({ clock }: ChangeContext, { type, on, details }: Change) {
  const at = clock.now()
  const repository = 'slug' in on ? on.repository : on
  const { owner, name } = repository
  const about =
    'slug' in on
      ? { address: addressOf(on), version: on.version, digest: on.digest }
      : { address: `${owner}/${name}` }
  return { at, repository, body: { type, at: isoTime(at), id: on.id, owner, ...about, ...details } }
}

const textFields = ['name', 'description', 'tags'] as const

/** Records what distinguishes a skill from its state before a change: undefined if it is new. */
export async function recordWrite(
  ctx: ChangeContext,
  trx: Db,
  before: SkillRecord | undefined,
  skill: SkillRecord,
): Promise<void> {
  const changes: Change[] = []
  const isElsewhere = before && before.repository.id !== skill.repository.id
  if (isElsewhere) {
    await moveEvents(trx, before.repository, skill.repository, skill.id)
    changes.push({ type: 'skill.deleted', on: before })
  } else if (before && before.slug !== skill.slug) {
    changes.push({ type: 'skill.moved', on: skill, details: { from: addressOf(before) } })
  }
  const fields = textFields.filter((name) => String(before?.[name]) !== String(skill[name]))
  if (before && !isElsewhere && fields.length > 0) {
    changes.push({ type: 'skill.updated', on: skill, details: { fields } })
  }
  if (isElsewhere || before?.version !== skill.version) {
    changes.push({ type: 'skill.published', on: skill })
  }
  await recordChange(ctx, trx, skill.revision, ...changes)
}

/** Records that skills appear or disappear together. Webhooks are not sent. */
export const recordShown = (
  ctx: ChangeContext,
  trx: Db,
  revision: number,
  type: 'skill.published' | 'skill.deleted',
  skills: readonly SkillRecord[],
): Promise<void> =>
  insertEvents(
    trx,
    revision,
    skills.map((on) => eventOf(ctx, { type, on })),
  )

/**
 * Records that a repository has another owner or visibility, after the change. Its skills disappear
 * for those who could read them before, and appear for those who can read them now.
 */
export async function recordRepository(
  ctx: ChangeContext,
  trx: Db,
  revision: number,
  before: RepositoryRecord,
  after: RepositoryRecord,
): Promise<void> {
  await moveEvents(trx, before, after)
  const skills = await listShownSkills(trx, 'repository_id', after.id)
  const gone = skills.map((skill) => ({ ...skill, repository: before }))
  await recordShown(ctx, trx, revision, 'skill.deleted', gone)
  await recordShown(ctx, trx, revision, 'skill.published', skills)
  const isTransfer = before.agentId !== after.agentId
  await recordChange(ctx, trx, revision, {
    type: isTransfer ? 'repository.transferred' : 'repository.visibility-changed',
    on: after,
    details: isTransfer
      ? { from: `${before.owner}/${before.name}` }
      : { visibility: after.visibility },
  })
}
