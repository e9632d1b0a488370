import type { LoadRequest } from '../load.ts'
import { skill } from '../publisher.ts'

/** What clients of a server come with. */
export interface Writers {
  /** API keys of agents. */
  readonly keys: readonly string[]
  /** Header of an app that gets tokens for itself. */
  readonly client: string
}

/** Numbers what is published, so that no slug comes twice. */
let serial = 0

const json = { 'content-type': 'application/json' }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** The requests of one kind of write, which clients send in turn. */
export const acts = {
  publish: ({ keys }: Writers): LoadRequest[] =>
    keys.map((key) => ({
      method: 'POST',
      path: '/api/v1/skills',
      headers: { ...json, ...bearer(key) },
      body: () => JSON.stringify(skill(++serial)),
    })),
  token: ({ client }: Writers): LoadRequest[] => [
    {
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: client, 'content-type': 'application/x-www-form-urlencoded' },
      body: () => 'grant_type=client_credentials',
    },
  ],
}
