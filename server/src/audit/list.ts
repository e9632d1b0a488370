import { z } from 'zod'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { type ListPage, type PageRequest, readPage, timePlace } from '../runtime/page-token.ts'
import { type AuditEntry, findPosition, listEntries } from '../store/audit.ts'
import { findNames, findParties } from '../store/names.ts'
import { listAppsByName } from '../store/oauth/apps.ts'

/** An entry with the names of both parties, if they have one. */
export interface NamedEntry extends AuditEntry {
  readonly whoName: string | null
  readonly whomName: string | null
}

/**
 * Lists entries for the operator, newest first. `after` is an entry id, `who` an id, email or
 * username.
 */
export async function listAudit(
  ctx: OperatorContext,
  options: { since?: number; action?: string; who?: string; after?: string; limit: number },
): Promise<NamedEntry[]> {
  const { who, after = '', ...filter } = options
  const before = after === '' ? undefined : await findPosition(ctx.db.read, after)
  const parties = who === undefined ? undefined : [who, ...(await findParties(ctx.db.read, who))]
  return withNames(ctx, await listEntries(ctx.db.read, { ...filter, parties, before }))
}

/**
 * Lists the entries of an account, newest first. `who` is the id or email of a person, or the id or
 * name of an app. Throws 403 unless the caller is its owner.
 */
export async function listAccountAudit(
  ctx: OperatorContext,
  { accountId, role }: { accountId: string; role: string },
  page: PageRequest,
  { action, who }: { action?: string | undefined; who?: string | undefined } = {},
): Promise<ListPage<NamedEntry>> {
  if (role !== 'owner') fail(403, 'Only the owner of the account can read its audit log.')
  const { read } = ctx.db
  const apps = who ? await listAppsByName(read, who, accountId) : []
  const ids = apps.map(({ id }) => id)
  const parties = who ? [who, ...ids, ...(await findParties(read, who))] : undefined
  const entries = await readPage(
    `audit ${accountId} ${action} ${who}`,
    timePlace(z.uuid()),
    page,
    (before, limit) => listEntries(read, { accountId, action, parties, before, limit }),
    ({ at, id }) => [at, id],
  )
  return { ...entries, items: await withNames(ctx, entries.items) }
}

async function withNames({ db }: OperatorContext, entries: readonly AuditEntry[]) {
  const ids = entries.flatMap(({ who, whom }) => [who, whom].filter((id) => id !== null))
  const names = await findNames(db.read, [...new Set(ids)])
  return entries.map((entry) => ({
    ...entry,
    whoName: names.get(entry.who ?? '') ?? null,
    whomName: names.get(entry.whom ?? '') ?? null,
  }))
}
