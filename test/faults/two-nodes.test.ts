import { expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { createTestDatabase, engines } from '../support/databases.ts'
import {
  type Answer,
  exchange,
  type Http,
  me,
  poll,
  post,
  refresh,
  refusal,
  tokensOf,
} from '../support/oauth-client.ts'
import { approveDevice, authorizeCode, type Session } from '../support/people.ts'
import { startProcess } from '../support/processes.ts'
import { reportFigure, roundsOf } from '../support/rounds.ts'
import { browserOf, type LoadApp, prepareFixture } from './load/fixture.ts'

const trials = roundsOf(8)

test.skipIf(!engines.includes('postgres'))(
  'a secret that many use at once at two processes on one Postgres is good for exactly one',
  async () => {
    const results = await raceAtTwoNodes(trials)
    for (const { kind, trials, single, ms } of results) {
      reportFigure(
        `${kind} at two nodes: exactly one winner ${single} of ${trials} times, ${ms} ms`,
      )
    }
    expect(results.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(results).toHaveLength(3)
  },
)

/** Racers of one trial, half of them at each node. */
const racers = 6

interface Races {
  kind: string
  trials: number
  /** Trials that exactly one racer won, and in which the others were told so. */
  single: number
  /** What became of the others. */
  wrong: string[]
  ms: number
}

/** Makes a secret that is good once, and gives what uses it at a node. */
type Prepare = (at: Http, app: LoadApp, browser: Session) => Promise<(at: Http) => Promise<Answer>>

const codeOf = async (app: LoadApp, browser: Session): Promise<string> =>
  (await authorizeCode(browser, { client_id: app.clientId, redirect_uri: callback })).code

const kinds: { kind: string; prepare: Prepare; loser: string; winnersCall: string }[] = [
  {
    kind: 'code',
    prepare: async (_first, app, browser) => {
      const code = await codeOf(app, browser)
      return (at) => exchange(at, app, code)
    },
    loser: '400 invalid_grant 4734',
    // A code that came again has ended what was made from it (RFC 6749 §4.1.2).
    winnersCall: '401 none 4741',
  },
  {
    kind: 'refresh token',
    prepare: async (first, app, browser) => {
      const made = await exchange(first, app, await codeOf(app, browser))
      return (at) => refresh(at, app, tokensOf(made).refresh_token)
    },
    loser: '400 invalid_grant 4735',
    winnersCall: '200 none',
  },
  {
    kind: 'device code',
    prepare: async (first, app, browser) => {
      const asked = await post(first, '/oauth/devicecode', { client_id: app.clientId }, { app })
      await approveDevice(browser, String(asked.body.user_code))
      return (at) => poll(at, app, String(asked.body.device_code))
    },
    loser: '400 invalid_grant',
    winnersCall: '200 none',
  },
]

/** Lets racers use one secret at once at two servers, processes of their own, on one Postgres. */
async function raceAtTwoNodes(trials: number): Promise<Races[]> {
  const database = await createTestDatabase('postgres')
  const started = [0, 1].map(() => startProcess({ databaseUrl: database.url }))
  try {
    const [first, second] = await Promise.all(started)
    if (!first || !second) throw new Error('There are not two nodes.')
    const fixture = await prepareFixture(database.url, first.url)
    const [node, other] = [first, second].map(
      ({ url }): Http => ({
        http: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
      }),
    )
    if (!node || !other) throw new Error('There are not two nodes.')
    const browser = browserOf(node, fixture.cookies[0] ?? '')
    const results: Races[] = []
    for (const { kind, prepare, loser, winnersCall } of kinds) {
      const start = performance.now()
      const race = async (app: LoadApp): Promise<string> => {
        const use = await prepare(node, app, browser)
        const answers = await Promise.all(
          Array.from({ length: racers }, (_, i) => use(i % 2 ? node : other)),
        )
        const winner = answers.find(({ status }) => status === 200)
        const call = winner && refusal(await me(other, tokensOf(winner).access_token))
        return [...answers.map(refusal).sort(), call].join(', ')
      }
      const expected = ['200 none', ...Array(racers - 1).fill(loser), winnersCall].join(', ')
      const outcomes: string[] = []
      while (outcomes.length < trials) {
        const apps = fixture.apps.slice(0, trials - outcomes.length)
        outcomes.push(...(await Promise.all(apps.map(race))))
      }
      const wrong = outcomes.filter((outcome) => outcome !== expected)
      const ms = Math.round(performance.now() - start)
      results.push({ kind, trials, single: trials - wrong.length, wrong, ms })
    }
    return results
  } finally {
    for (const start of await Promise.allSettled(started)) {
      if (start.status === 'fulfilled') await start.value.end('SIGTERM')
    }
    await database.remove()
  }
}
