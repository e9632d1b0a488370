import type { LoadRequest } from '../load.ts'
import { skill } from '../publisher.ts'
import type { Nodes } from './nodes.ts'

/** Numbers what is published, so that no slug comes twice. */
let serial = 0

const json = { 'content-type': 'application/json' }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** The requests of one kind of write, which clients send in turn. */
export const acts: Record<string, (nodes: Nodes) => LoadRequest[]> = {
  publish: ({ keys }) =>
    keys.map((key) => ({
      method: 'POST',
      path: '/api/v1/skills',
      headers: { ...json, ...bearer(key) },
      body: () => JSON.stringify(skill(++serial)),
    })),
  token: ({ client }) => [
    {
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: client, 'content-type': 'application/x-www-form-urlencoded' },
      body: () => 'grant_type=client_credentials',
    },
  ],
}
