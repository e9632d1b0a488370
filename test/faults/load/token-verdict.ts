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

/** Holds the answers of a server against what clients know; `wrong` are answers of the load itself. */
export const tokenNotes = (
  fixture: LoadFixture,
  pairs: PairNotes[],
  wrong: readonly string[],
): Notes => ({
  verify: (_databaseUrl, url) => verify(fixture, url, pairs, wrong),
})

type Expect = (holds: boolean, what: string) => void

/** Holds all answers that a server gives against the notes; what is good is used up by it. */
async function verify(
  fixture: LoadFixture,
  url: string,
  pairs: PairNotes[],
  wrong: readonly string[],
): Promise<Verdict> {
  const lost = [...wrong]
  let checked = 0
  const server: Http = { http: (path, init = {}) => fetchWhole(url + path, init) }
  const expectThat: Expect = (holds, what) => {
    checked++
    if (!holds) lost.push(what)
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
  return { checked, lost, keptUnanswered: [] }
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
