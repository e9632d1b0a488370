import type { Db } from '@skillpass/server/db/open'

/** What the authorization service keeps of tokens, by its keys. */
export type TokenRows = Awaited<ReturnType<typeof readTokenRows>>

/** Reads all that is kept. */
export async function readTokenRows(db: Db) {
  const access = await db
    .selectFrom('access_tokens')
    .select(['key', 'grant_id as grantId', 'revoked_at as revokedAt'])
    .execute()
  const refresh = await db
    .selectFrom('refresh_tokens')
    .select(['key', 'grant_id as grantId', 'used_at as usedAt'])
    .execute()
  const grants = await db
    .selectFrom('grants')
    .select(['id', 'client_id as clientId', 'user_id as userId', 'ended_at as endedAt'])
    .execute()
  const codes = await db
    .selectFrom('authorization_codes')
    .select([
      'key',
      'client_id as clientId',
      'user_id as userId',
      'used_at as usedAt',
      'end_reason as endReason',
      'grant_id as grantId',
    ])
    .execute()
  const devices = await db
    .selectFrom('device_codes')
    .select([
      'key',
      'client_id as clientId',
      'user_id as userId',
      'state',
      'end_reason as endReason',
    ])
    .execute()
  return {
    access: new Map(access.map((row) => [row.key, row])),
    refresh: new Map(refresh.map((row) => [row.key, row])),
    grants: new Map(grants.map((row) => [row.id, row])),
    codes: new Map(codes.map((row) => [row.key, row])),
    devices: new Map(devices.map((row) => [row.key, row])),
  }
}

/**
 * Sentences about what was written by half: a token without its grant, a used refresh token without
 * a successor, a code used up for nothing.
 */
export function halfWritten({ access, refresh, grants, codes, devices }: TokenRows): string[] {
  const half: string[] = []
  const ofGrant = new Map(
    [...grants.keys()].map((id) => [id, { access: 0, refresh: 0, unused: 0 }]),
  )
  for (const { grantId } of access.values()) {
    const counts = ofGrant.get(grantId ?? '')
    if (counts) counts.access++
    else if (grantId !== null) half.push('half: an access token without its grant')
  }
  for (const { grantId, usedAt } of refresh.values()) {
    const counts = ofGrant.get(grantId)
    if (!counts) half.push('half: a refresh token without its grant')
    else {
      counts.refresh++
      if (usedAt === null) counts.unused++
    }
  }
  for (const counts of ofGrant.values()) {
    // Each refresh uses one up and makes one of either kind.
    if (counts.access !== counts.refresh) half.push(`half: a pair of tokens (${describe(counts)})`)
    if (counts.unused !== 1) half.push(`half: a successor (${describe(counts)})`)
  }
  const expected = new Map<string, number>()
  for (const { clientId, userId, usedAt, grantId } of codes.values()) {
    if (usedAt === null) continue
    if (!grants.has(grantId ?? '')) half.push('half: a used code without its grant')
    add(expected, `${clientId} ${userId}`, 1)
  }
  for (const { clientId, userId, state } of devices.values()) {
    if (state === 'redeemed') add(expected, `${clientId} ${userId}`, 1)
  }
  for (const { clientId, userId } of grants.values()) add(expected, `${clientId} ${userId}`, -1)
  for (const difference of expected.values()) {
    if (difference > 0) half.push(`half: ${difference} codes used without a grant`)
    if (difference < 0) half.push(`half: ${-difference} grants without a used code`)
  }
  return half
}

const describe = (counts: Record<string, number>) => JSON.stringify(counts)

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
