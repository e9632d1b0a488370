import { openDatabase } from '@skillpass/server/db/open'
import { hashSecret, parseSecret, type SecretKind } from '@skillpass/server/secrets/secrets'
import {
  exchange,
  type Http,
  me,
  poll,
  refresh,
  refusal,
  tokensOf,
} from '../../support/oauth-client.ts'
import type { LoadApp, LoadFixture } from './fixture.ts'
import { fetchWhole, type Notes, type Verdict } from './load.ts'
import type { GrantNotes, PairNotes } from './token-notes.ts'
import { halfWritten, readTokenRows, type TokenRows } from './token-rows.ts'

/** Holds a database and a server against what clients know; `wrong` are answers of the load itself. */
export const tokenNotes = (
  fixture: LoadFixture,
  pairs: PairNotes[],
  wrong: readonly string[],
): Notes => ({
  verify: (databaseUrl) => verify(databaseUrl, pairs, wrong),
  verifyAnswers: (url) => verifyAnswers(fixture, url, pairs),
})

async function verify(
  databaseUrl: string,
  pairs: PairNotes[],
  wrong: readonly string[],
): Promise<Verdict> {
  const db = await openDatabase(databaseUrl)
  try {
    const rows = await readTokenRows(db.read)
    const lost = [...wrong]
    let checked = 0
    const expectThat = (holds: boolean, what: string) => {
      checked++
      if (!holds) lost.push(what)
    }
    for (const pair of pairs) holdPair(rows, pair, expectThat)
    const half = halfWritten(rows)
    checked += rows.grants.size
    const keptUnanswered = pairs.flatMap(({ unanswered }) =>
      unanswered.filter((one) => isKept(rows, one)).map(({ kind }) => `${kind} without an answer`),
    )
    return { checked, lost: [...lost, ...half], keptUnanswered }
  } finally {
    await db.close()
  }
}

/** The stored key of a secret. */
function keyOf(kind: SecretKind, text: string): string {
  const secret = parseSecret(kind, text)
  return secret ? hashSecret(secret) : `no ${kind}`
}

type Expect = (holds: boolean, what: string) => void

function holdPair(rows: TokenRows, pair: PairNotes, expectThat: Expect): void {
  for (const grant of pair.grants) holdGrant(rows, grant, expectThat)
  for (const [code, fate] of pair.codes) {
    const row = rows.codes.get(keyOf('authorizationCode', code))
    if (fate === 'unknown') continue
    const isGood = row?.usedAt === null && row.endReason === null
    expectThat(row !== undefined && isGood === (fate === 'alive'), `code, ${fate}`)
  }
  for (const [code, fate] of pair.devices) {
    const row = rows.devices.get(keyOf('deviceCode', code))
    if (fate === 'unknown') continue
    const isGood = row?.state === 'authorized' && row.endReason === null
    expectThat(row !== undefined && isGood === (fate === 'alive'), `device code, ${fate}`)
  }
  for (const [token, fate] of pair.accountTokens) {
    const row = rows.access.get(keyOf('accessToken', token))
    expectThat(row !== undefined, 'account token')
    if (row && fate !== 'unknown') {
      expectThat((row.revokedAt === null) === (fate === 'alive'), `account token, ${fate}`)
    }
  }
  for (const grants of pair.removals) {
    const ended = new Set(grants.map(({ access }) => isEnded(rows, access[0] ?? '')))
    expectThat(ended.size === 1, 'half of a removal')
  }
}

function holdGrant(rows: TokenRows, grant: GrantNotes, expectThat: Expect): void {
  const { fate, from, access, latest, used } = grant
  const found = access.map((token) => rows.access.get(keyOf('accessToken', token)))
  const [first] = found
  expectThat(first?.grantId != null, 'access token of a grant')
  expectThat(
    found.every((row) => row?.grantId === first?.grantId),
    'an access token of the same grant',
  )
  if (fate !== 'unknown') {
    expectThat(isEnded(rows, access[0] ?? '') === (fate === 'ended'), `grant, ${fate}`)
  }
  for (const token of used) {
    const usedAt = rows.refresh.get(keyOf('refreshToken', token))?.usedAt
    expectThat(typeof usedAt === 'number', 'a refresh token that was used')
  }
  if (latest !== undefined) {
    expectThat(rows.refresh.get(keyOf('refreshToken', latest))?.usedAt === null, 'refresh token')
  }
  if (from.kind === 'code') {
    const row = rows.codes.get(keyOf('authorizationCode', from.secret))
    expectThat(row?.usedAt != null && row.grantId === first?.grantId, 'a code that was used')
  } else {
    const state = rows.devices.get(keyOf('deviceCode', from.secret))?.state
    expectThat(state === 'redeemed', 'a device code that was used')
  }
}

/** Whether an access token, or the grant that it is of, has ended. */
function isEnded(rows: TokenRows, accessToken: string): boolean {
  const row = rows.access.get(keyOf('accessToken', accessToken))
  if (row?.grantId == null) return row?.revokedAt != null
  return rows.grants.get(row.grantId)?.endedAt != null
}

/** Whether a write that got no answer is there all the same. */
function isKept(rows: TokenRows, { kind, secret }: PairNotes['unanswered'][number]): boolean {
  const codeKey = keyOf('authorizationCode', secret)
  if (kind === 'code') return rows.codes.get(codeKey)?.usedAt != null
  if (kind === 'device') return rows.devices.get(keyOf('deviceCode', secret))?.state === 'redeemed'
  const refreshRow = rows.refresh.get(keyOf('refreshToken', secret))
  if (kind === 'refresh') return refreshRow?.usedAt != null
  if (refreshRow) return rows.grants.get(refreshRow.grantId)?.endedAt != null
  return isEnded(rows, secret)
}

/** Holds all answers that a server gives against the notes; what is good is used up by it. */
async function verifyAnswers(
  fixture: LoadFixture,
  url: string,
  pairs: PairNotes[],
): Promise<string[]> {
  const wrong: string[] = []
  const server: Http = { http: (path, init = {}) => fetchWhole(url + path, init) }
  const expectThat: Expect = (holds, what) => {
    if (!holds) wrong.push(what)
  }
  await Promise.all(
    pairs.map(async (pair) => {
      const app = fixture.apps[pair.app]
      if (!app) throw new Error(`The fixture has no app ${pair.app}.`)
      for (const grant of pair.grants) await askGrant(server, app, grant, expectThat)
      for (const [code, fate] of pair.codes) {
        if (fate === 'unknown') continue
        const words = refusal(await exchange(server, app, code))
        expectThat(
          words === (fate === 'alive' ? '200 none' : outdatedCode),
          `${fate} code: ${words}`,
        )
      }
      for (const [code, fate] of pair.devices) {
        if (fate === 'unknown') continue
        const words = refusal(await poll(server, app, code))
        const expected = fate === 'alive' ? '200 none' : '400 access_denied'
        expectThat(words === expected, `${fate} device code: ${words}`)
      }
      for (const [token, fate] of pair.accountTokens) {
        if (fate === 'unknown') continue
        const words = refusal(await me(server, token))
        expectThat(
          words === (fate === 'alive' ? '200 none' : revoked),
          `${fate} account token: ${words}`,
        )
      }
    }),
  )
  return wrong
}

const revoked = '401 none 4741'
const outdated = '400 invalid_grant 4735'
const ended = '400 invalid_grant 4741'
const outdatedCode = '400 invalid_grant 4734'

async function askGrant(
  server: Http,
  app: LoadApp,
  { fate, from, access, latest, used, unsure }: GrantNotes,
  expectThat: Expect,
): Promise<void> {
  const calls = await Promise.all(access.map(async (token) => refusal(await me(server, token))))
  const [call] = calls
  const expected = fate === 'unknown' ? call : fate === 'alive' ? '200 none' : revoked
  expectThat(
    calls.every((words) => words === expected) && (call === '200 none' || call === revoked),
    `access tokens of a grant, ${fate}: ${calls}`,
  )
  const isAlive = call === '200 none'
  if (latest !== undefined) {
    const answer = await refresh(server, app, latest)
    expectThat(refusal(answer) === (isAlive ? '200 none' : ended), `latest: ${refusal(answer)}`)
    if (answer.status === 200) {
      const words = refusal(await me(server, tokensOf(answer).access_token))
      expectThat(words === '200 none', `new access token: ${words}`)
    }
  }
  if (unsure !== undefined) {
    // Not used, and now it is; or used, which is told as a race.
    const words = refusal(await refresh(server, app, unsure))
    const may = isAlive ? ['200 none', outdated] : [ended]
    expectThat(may.includes(words), `refresh token sent before: ${words}`)
  }
  const before = used.at(-1)
  if (before !== undefined) {
    const words = refusal(await refresh(server, app, before))
    expectThat(words === (isAlive ? outdated : ended), `used refresh token: ${words}`)
  }
  if (from.kind === 'device') {
    const words = refusal(await poll(server, app, from.secret))
    expectThat(words === '400 invalid_grant', `used device code: ${words}`)
    return
  }
  // The last question: a code that comes again ends what was made from it.
  const words = refusal(await exchange(server, app, from.secret))
  expectThat(words === outdatedCode, `used code: ${words}`)
  const after = refusal(await me(server, access[0] ?? ''))
  expectThat(after === revoked, `access token after its code came again: ${after}`)
}
