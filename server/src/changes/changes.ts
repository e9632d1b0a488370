import { changesDays } from '@skillpass/contract'
import { z } from 'zod'
import type { Reader } from '../catalogue/reader.ts'
import { inBatches } from '../db/query.ts'
import { fail, refuseField } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { dayLength } from '../runtime/time.ts'
import { listEvents, purgeEvents } from '../store/registry/events.ts'
import { currentRevision } from '../store/registry/revision.ts'
import { parseJson } from '../text/parse-json.ts'

/** Position of an event, and the time from which on events after it are needed, ms. */
const Cursor = z.tuple([z.int().min(0), z.int().min(0), z.int()])

const formatCursor = (...cursor: z.output<typeof Cursor>): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url')

function readCursor({ clock }: Pick<OperatorContext, 'clock'>, text: string) {
  const cursor = Cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!cursor.success) {
    return refuseField('query', 'after', 'is not a cursor of this list; leave it out to begin')
  }
  const [revision, number, time] = cursor.data
  if (time < clock.now() - changesDays * dayLength) {
    const remedy = 'Read the skills anew, then continue without "after".'
    fail(
      'GONE',
      `This cursor is older than ${changesDays} days, for which events are kept. ${remedy}`,
    )
  }
  return [revision, number] as const
}

interface ChangesQuery {
  readonly after?: string | undefined
  readonly owner?: string | undefined
  readonly repo?: string | undefined
  readonly limit: number
}

/** Reads a page of events that a reader may see, in the order of their commits. */
export async function listChanges(
  ctx: OperatorContext,
  { after, ...query }: ChangesQuery,
  reader: Reader,
) {
  const start = after === undefined ? ([0, 0] as const) : readCursor(ctx, after)
  // Read the time and the revision first: every event up to them is in the page.
  const now = ctx.clock.now()
  const revision = await currentRevision(ctx.db.read)
  const events = await listEvents(ctx.db.read, { ...query, reader, after: start })
  const data = events.map(({ revision, number, at, body }) => ({
    ...body,
    cursor: formatCursor(revision, number, at),
  }))
  const last = events.length < query.limit ? undefined : data.at(-1)
  const end = events.at(-1)?.revision ?? 0
  return {
    data,
    next: last?.cursor ?? formatCursor(Math.max(revision, end, start[0]), maxNumber, now),
  }
}

/** Greater than the number of every event of a revision. */
const maxNumber = 2 ** 31 - 1

/** Returns the newest events of an owner that a reader may see, newest first. */
export const listNewest = async (
  { db }: OperatorContext,
  filter: { owner: string; limit: number },
  reader: Reader,
) =>
  (await listEvents(db.read, { ...filter, reader })).map(({ revision, number, body }) => ({
    ...body,
    key: `${revision}.${number}`,
  }))

/** Deletes events a day after the last cursor before them has expired. */
export const removeOldChanges = ({ db, clock }: Pick<OperatorContext, 'db' | 'clock'>) =>
  inBatches(db, (trx, limit) =>
    purgeEvents(trx, clock.now() - (changesDays + 1) * dayLength, limit),
  )
