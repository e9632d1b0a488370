import { setTimeout as pause } from 'node:timers/promises'
import type { Http } from '../../support/oauth-client.ts'
import { seededRandom } from '../../support/random.ts'
import { browserOf, type LoadFixture } from './fixture.ts'
import { type Answers, BrokenAnswer, fetchWhole, type Load, type Pace, untilMore } from './load.ts'
import { acts, NoAnswer, Unavailable } from './token-acts.ts'
import { noNotes, setAside } from './token-notes.ts'
import { tokenNotes } from './token-verdict.ts'

/** A client of every app with every user: acts one after the other until it is stopped. */
export async function startTokenLoad({
  url,
  fixture,
  seed,
  send = fetchWhole,
  restMs = 0,
}: Pace & { url: string; fixture: LoadFixture; seed: number }): Promise<Load> {
  const random = seededRandom(seed)
  const answers: Answers = {}
  const kinds: Record<string, number> = {}
  const broken: string[] = []
  const wrong: string[] = []
  let stopped = false
  const count = (status: string) => {
    answers[status] = (answers[status] ?? 0) + 1
  }
  const server: Http = {
    http: async (path, init = {}) => {
      const answer = await send(url + path, init).catch((error: unknown) => {
        count('none')
        if (error instanceof BrokenAnswer) broken.push(error.message)
        throw new NoAnswer('no answer came', { cause: error })
      })
      count(String(answer.status))
      if (answer.status === 503) throw new Unavailable('503')
      return answer
    },
  }
  const pairs = fixture.apps.flatMap((_, app) =>
    fixture.cookies.map((_, user) => noNotes(app, user)),
  )
  const running = pairs.map(async (pair, client) => {
    const app = fixture.apps[pair.app]
    if (!app) throw new Error(`The fixture has no app ${pair.app}.`)
    const browser = browserOf(server, fixture.cookies[pair.user] ?? '')
    const done = (kind: string) => {
      kinds[kind] = (kinds[kind] ?? 0) + 1
    }
    const turn = { server, fixture, app, browser, pair, random, done }
    // Each client begins elsewhere, so that every kind of act comes early.
    for (let i = client; !stopped; i++) {
      const act = acts[i % acts.length]
      const note = (what: string) => {
        wrong.push(`${act?.name}: ${what}`)
      }
      await act?.({ ...turn, wrong: note }).catch(async (error: unknown) => {
        const isFault = error instanceof NoAnswer || error instanceof Unavailable
        if (!isFault) note(String(error))
        // A server that is gone answers nothing; asking it in a tight loop would only burn the CPU.
        await pause(20)
      })
      if (restMs > 0) await pause(restMs)
    }
  })
  const acknowledged = () => Object.values(kinds).reduce((sum, n) => sum + n, 0)
  return {
    answers,
    broken,
    acknowledged,
    kinds: () => ({ ...kinds }),
    untilMore: (count) => untilMore(count, acknowledged),
    snapshot: () => tokenNotes(fixture, pairs.map(setAside), wrong),
    stop: async () => {
      stopped = true
      await Promise.all(running)
    },
    notes: tokenNotes(fixture, pairs, wrong),
  }
}
