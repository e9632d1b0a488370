import type { Db } from '../db/open.ts'
import type { Bearer } from '../people/bearer.ts'
import { differences, writeEvent } from '../people/events.ts'
import { joinUrl } from '../people/meeting-access.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { findOccurrence, type KnownMeeting, meetingAt } from './meeting-changes.ts'
import { serializePlan } from './serialize-plan.ts'

/** Writes that a meeting was created, or that it or one of its occurrences was deleted. */
export const writeMeetingEvent = (
  ctx: OperatorContext,
  trx: Db,
  by: Bearer,
  event: 'meeting.created' | 'meeting.deleted',
  known: KnownMeeting,
  occurrenceId?: string,
) => {
  const object = planOf(ctx, known, occurrenceId)
  const payload = { operation: extentOf(occurrenceId), object }
  return writeEvent(ctx, trx, { event, ...hostOf(known), by, payload })
}

/** Writes that a meeting or one of its occurrences was changed, unless nothing differs. */
export async function writeMeetingUpdate(
  ctx: OperatorContext,
  trx: Db,
  by: Bearer,
  [before, after]: readonly [KnownMeeting, KnownMeeting],
  occurrenceId?: string,
): Promise<void> {
  const changes = differences(planOf(ctx, before, occurrenceId), planOf(ctx, after, occurrenceId), [
    'id',
    'uuid',
    'host_id',
    ...(occurrenceId === undefined ? [] : ['occurrences' as const]),
  ])
  if (!changes) return
  const payload = { scope: extentOf(occurrenceId), ...changes }
  await writeEvent(ctx, trx, { event: 'meeting.updated', ...hostOf(after), by, payload })
}

const hostOf = ({ meeting: { accountId, hostId } }: KnownMeeting) => ({ accountId, userId: hostId })

const extentOf = (occurrenceId: string | undefined) =>
  occurrenceId === undefined ? ('all' as const) : ('single' as const)

/** What events show of a meeting, or of one occurrence. Bodies are stored, so no passcode. */
function planOf(ctx: OperatorContext, known: KnownMeeting, id: string | undefined) {
  const part =
    id === undefined
      ? known
      : { meeting: meetingAt(known, id), occurrences: [findOccurrence(known.occurrences, id)] }
  // The schemas leave out the sealed passcode. It is here so that a change of it is noticed.
  const { id: number, password } = part.meeting
  return { ...serializePlan(ctx, part), join_url: joinUrl(ctx.config, number), password }
}
