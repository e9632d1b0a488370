import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { createTestDatabase, engines, type TestDatabase } from '../support/databases.ts'
import {
  type Answer,
  exchange,
  type Http,
  me,
  poll,
  post,
  refresh,
  refusal,
  serverAt,
  tokensOf,
} from '../support/oauth-client.ts'
import { approveDevice, authorizeCode, type Session } from '../support/people.ts'
import { type ServerProcess, startProcess } from '../support/processes.ts'
import { reportFigure, roundsOf } from '../support/rounds.ts'
import { browserOf, type LoadApp, type LoadFixture, prepareFixture } from './load/fixture.ts'

const trials = roundsOf(8)

/** Concurrent requests per trial, half of them at each node. */
const racers = 6

interface Kind {
  /** Creates a single-use secret, and returns a function that uses it at a node. */
  prepare(at: Http, app: LoadApp, browser: Session): Promise<(at: Http) => Promise<Answer>>
  loser: string
  /** Result of a later API call with the winner's access token. */
  winnersCall: string
}

const codeOf = async (app: LoadApp, browser: Session): Promise<string> =>
  (await authorizeCode(browser, { client_id: app.clientId, redirect_uri: callback })).code

const kinds: Record<string, Kind> = {
  code: {
    prepare: async (_first, app, browser) => {
      const code = await codeOf(app, browser)
      return (at) => exchange(at, app, code)
    },
    loser: '400 invalid_grant 4734',
    // A replayed code revokes its tokens (RFC 6749 §4.1.2).
    winnersCall: '401 none 4741',
  },
  'refresh token': {
    prepare: async (first, app, browser) => {
      const made = await exchange(first, app, await codeOf(app, browser))
      return (at) => refresh(at, app, tokensOf(made).refresh_token)
    },
    loser: '400 invalid_grant 4735',
    winnersCall: '200 none',
  },
  'device code': {
    prepare: async (first, app, browser) => {
      const issued = await post(first, '/oauth/devicecode', { client_id: app.clientId }, { app })
      await approveDevice(browser, String(issued.body.user_code))
      return (at) => poll(at, app, String(issued.body.device_code))
    },
    loser: '400 invalid_grant',
    winnersCall: '200 none',
  },
}

describe.skipIf(!engines.includes('postgres'))('two processes on one Postgres', () => {
  let database: TestDatabase
  let nodes: ServerProcess[] = []
  let fixture: LoadFixture
  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    const start = () => startProcess({ databaseUrl: database.url })
    nodes = await Promise.all([start(), start()])
    fixture = await prepareFixture(database.url, nodes[0]?.url ?? '')
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))
    await database.remove()
  })

  test.each(Object.entries(kinds))(
    'a %s used by many requests at two nodes works exactly once',
    async (kind, { prepare, loser, winnersCall }) => {
      const [node, other] = nodes.map(({ url }) => serverAt(url)) as [Http, Http]
      const browser = browserOf(node, fixture.cookies[0] ?? '')
      const race = async (app: LoadApp): Promise<string> => {
        const use = await prepare(node, app, browser)
        const responses = await Promise.all(
          Array.from({ length: racers }, (_, i) => use(i % 2 ? node : other)),
        )
        const winner = responses.find(({ status }) => status === 200)
        const call = winner && refusal(await me(other, tokensOf(winner).access_token))
        return [...responses.map(refusal).sort(), call].join(', ')
      }
      const expected = ['200 none', ...Array(racers - 1).fill(loser), winnersCall].join(', ')
      const outcomes: string[] = []
      while (outcomes.length < trials) {
        const apps = fixture.apps.slice(0, trials - outcomes.length)
        outcomes.push(...(await Promise.all(apps.map(race))))
      }
      const single = outcomes.filter((outcome) => outcome === expected).length
      reportFigure(`${kind} at two nodes: exactly one success in ${single} of ${trials} trials`)
      expect(outcomes).toEqual(outcomes.map(() => expected))
    },
  )
})
