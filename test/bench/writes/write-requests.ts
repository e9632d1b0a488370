import type { LoadRequest } from '../load.ts'
import { skill } from '../publisher.ts'

/** Credentials of the clients. */
export interface Credentials {
  /** API keys of agents. */
  readonly keys: readonly string[]
  /** `Authorization` header of an app that uses the client credentials grant. */
  readonly client: string
}

/** Number of published skills, which makes each slug unique. */
let serial = 0

const json = { 'content-type': 'application/json' }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Creates the requests of each kind of write. */
export const writeRequests = {
  publish: ({ keys }: Credentials): LoadRequest[] =>
    keys.map((key) => ({
      method: 'POST',
      path: '/api/v1/skills',
      headers: { ...json, ...bearer(key) },
      body: () => JSON.stringify(skill(++serial)),
    })),
  token: ({ client }: Credentials): LoadRequest[] => [
    {
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: client, 'content-type': 'application/x-www-form-urlencoded' },
      body: () => 'grant_type=client_credentials',
    },
  ],
}
