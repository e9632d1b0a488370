import type { Applied } from '@skillpass/server/operator/apply/apply'
import { credentialsOf } from '../../support/apps.ts'
import { readSkills, readTasks } from '../../support/corpus.ts'
import { basic } from '../../support/oauth-client.ts'
import { skill } from '../publisher.ts'
import type { Sent } from './storm.ts'

/** Different requests of a class, as many as a run may send. */
const variety = 60_000

/** Whose requests are sent. */
interface Senders {
  readonly apiKey: string
  readonly applied: Applied
}

/** What is offered: each gives requests that no answer is remembered for. */
export const offered = {
  resolve: () => {
    const tasks = readTasks().map(({ task }) => new URLSearchParams({ task }))
    return many((serial) =>
      get(`/api/v1/skills/resolve?${pick(tasks, serial)}&threshold=${threshold(serial)}`),
    )
  },
  search: () => {
    const queries = readTasks().map(({ task }) => task.split(/\s+/).slice(0, 3).join(' '))
    return many((serial) => {
      const q = `${pick(queries, serial).slice(0, 160)} ${signs(serial)}`
      return get(`/api/v1/skills/search?${new URLSearchParams({ limit: '20', q })}`)
    })
  },
  tokens: ({ applied }: Senders) => {
    const headers = {
      authorization: basic(credentialsOf(applied, 'Helper bot')),
      'content-type': 'application/x-www-form-urlencoded',
    }
    return [post('/oauth/token', headers, 'grant_type=client_credentials')]
  },
  publish: ({ apiKey }: Senders) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    return many((serial) => post('/api/v1/skills', headers, JSON.stringify(skill(serial))))
  },
  pages: () => {
    const ids = readSkills().map(({ id }) => id)
    return many((serial) => get(`/${pick(ids, serial * 7919)}`, { accept: 'text/html' }))
  },
} satisfies Record<string, (senders: Senders) => Sent[]>

export type Offered = keyof typeof offered

/** Goes on from run to run, so that nothing is sent twice. */
let serials = 0

const many = (make: (serial: number) => Sent): Sent[] =>
  Array.from({ length: variety }, () => make(++serials))

const pick = <T>(of: readonly T[], index: number): T => of[index % of.length] as T

const threshold = (serial: number) => (0.3 + serial * 1e-9).toFixed(9)

/** Signs that say nothing to a search and make it another. */
const signs = (serial: number) =>
  serial.toString(4).replace(/\d/g, (digit) => '.,!~'.charAt(Number(digit)))

const get = (path: string, headers: Record<string, string> = {}): Sent => ({ path, headers })

const post = (path: string, headers: Record<string, string>, body: string): Sent => ({
  path,
  method: 'POST',
  headers,
  body,
})
