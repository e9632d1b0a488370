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
  // Each star is taken back by the next request, so that every one of them changes something.
  star: (nodes) =>
    pairs(nodes).flatMap(({ key, id }) =>
      (['POST', 'DELETE'] as const).map((method) => ({
        method,
        path: `/api/v1/skills/${id}/star`,
        headers: bearer(key),
      })),
    ),
  feedback: (nodes) =>
    pairs(nodes).map(({ key, id }) => ({
      method: 'POST',
      path: `/api/v1/skills/${id}/feedback`,
      headers: { ...json, ...bearer(key) },
      body: () => JSON.stringify({ task: `report ${++serial}`, helpful: serial % 3 > 0 }),
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

/** Every agent with every skill, neighbours of different agents and skills. */
const pairs = ({ keys, skills }: Nodes) =>
  skills.flatMap((_, shift) =>
    keys.map((key, i) => ({ key, id: skills[(i * 7 + shift) % skills.length] ?? '' })),
  )
