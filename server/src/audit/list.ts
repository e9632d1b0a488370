import { z } from 'zod'
import type { Context } from '../context/context.ts'
import { type ListPage, type PageAsked, readPage, timePlace } from '../db/page-token.ts'
import { fail } from '../errors/failure.ts'
import { type AuditEntry, findPlace, listEntries } from './store/entries.ts'
import { findNames, findParties } from './store/names.ts'

/** An entry with the names of who and whom, where they have one. */
export interface NamedEntry extends AuditEntry {
  readonly whoName: string | null
  readonly whomName: string | null
}

type Reading = Pick<Context, 'db'>

/**
 * Entries for the operator, newest first, from behind the entry `after` on. `who` is an id, an email or a
 * username.
 */
export async function listAudit(
  { db }: Reading,
  asked: { since?: number; action?: string; who?: string; after?: string; limit: number },
): Promise<NamedEntry[]> {
  const { who, after = '', ...selection } = asked
  const before = after === '' ? undefined : await findPlace(db.read, after)
  const parties = who === undefined ? undefined : [who, ...(await findParties(db.read, who))]
  return withNames({ db }, await listEntries(db.read, { ...selection, parties, before }))
}

/** A page of what was done in an account, newest first. Throws 403 for all but its owner. */
export async function listAccountAudit(
  ctx: Reading,
  { accountId, role }: { accountId: string; role: string },
  asked: PageAsked,
): Promise<ListPage<NamedEntry>> {
  if (role !== 'owner') fail(403, 'Only the owner of the account reads its audit log.')
  const page = await readPage(
    `audit ${accountId}`,
    timePlace(z.uuid()),
    asked,
    (before, limit) => listEntries(ctx.db.read, { accountId, before, limit }),
    ({ at, id }) => [at, id],
  )
  return { ...page, items: await withNames(ctx, page.items) }
}

async function withNames({ db }: Reading, entries: readonly AuditEntry[]): Promise<NamedEntry[]> {
  const ids = entries.flatMap(({ who, whom }) => [who, whom].filter((id) => id !== null))
  const names = await findNames(db.read, [...new Set(ids)])
  return entries.map((entry) => ({
    ...entry,
    whoName: names.get(entry.who ?? '') ?? null,
    whomName: names.get(entry.whom ?? '') ?? null,
  }))
}
