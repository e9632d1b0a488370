import { openDatabase } from '@skillpass/server/testing'
import type { Http } from '../../support/oauth-client.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { ask } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'
import { countResponses, fetchWhole, type Load, NotServed, runClients } from './load.ts'

/** Expectations of the clients about the rows that `readRows` returns. */
interface Notes {
  /** Whether a row must exist. Rows whose last write got no response are absent. */
  readonly certain: Map<string, boolean>
  /** Rows whose creation got no response. */
  readonly unanswered: string[]
}

interface Agent {
  readonly id: string
  readonly key: string
  readonly skills: string[]
  readonly judged: Set<string>
  readonly liveKeys: string[]
}

interface LoadOptions {
  url: string
  clients: number
  seed: number
}

/** Registers the clients and lets them write until `stop`, in spite of errors. */
export async function startRegistryLoad({ url, clients, seed }: LoadOptions): Promise<Load> {
  const random = seededRandom(seed)
  const counts = countResponses(url)
  const { server, done } = counts
  const notes: Notes = { certain: new Map(), unanswered: [] }
  const agents = await Promise.all(
    Array.from({ length: clients }, (_, i) =>
      register(url, `load-${seed}-${i}-${Date.now().toString(36)}`),
    ),
  )
  const acts = agents.map((own, client) => {
    let turn = 0
    return async () => {
      const slug = `s-${client}-${turn++}`
      const skill = pick((pick(agents, random) ?? own).skills, random)
      if (await act({ server, own, notes, random, skill }, slug)) done()
    }
  })
  return {
    ...counts,
    stop: runClients(acts),
    verify: async (databaseUrl) => {
      const rows = await readRows(databaseUrl)
      const wrong = [...notes.certain].filter(([row, isThere]) => rows.has(row) !== isThere)
      return {
        checked: notes.certain.size,
        lost: wrong.map(([row, isThere]) => (isThere ? row : `not to be there: ${row}`)),
        keptUnanswered: notes.unanswered.filter((row) => rows.has(row)),
      }
    },
  }
}

const register = (url: string, username: string): Promise<Agent> =>
  eventually(async () => {
    const http: Http['http'] = (path, init = {}) => fetchWhole(url + path, init)
    const response = await ask({ http }, 'POST', '/api/v1/agents/register', { body: { username } })
    const { id, apiKey: key } = (await response.json()).data
    return { id, key, skills: [], judged: new Set<string>(), liveKeys: [] }
  })

interface Turn {
  readonly server: Http
  readonly own: Agent
  readonly notes: Notes
  readonly random: () => number
  /** Returns a skill that a client has published. */
  readonly skill: string | undefined
}

/** Sends one write and returns whether it was acknowledged. */
async function act(turn: Turn, slug: string): Promise<boolean> {
  const { own, notes, random, skill } = turn
  const { certain } = notes
  const send = async (method: string, path: string, body?: object) => {
    const response = await ask(turn.server, method, `/api/v1/${path}`, { key: own.key, body })
    return { isDone: response.ok, data: (await response.json()).data }
  }
  const kind = skill === undefined ? 0 : random()
  if (skill === undefined || kind < 0.35) return publish(turn, slug, send)
  if (kind < 0.55) {
    const row = `star ${own.id} ${skill}`
    const isStarred = certain.get(row) !== true
    certain.delete(row)
    const { isDone } = await send(isStarred ? 'POST' : 'DELETE', `skills/${skill}/star`)
    if (isDone) certain.set(row, isStarred)
    return isDone
  }
  if (kind < 0.75 && !own.judged.has(skill)) {
    own.judged.add(skill)
    const body = { task: slug, helpful: random() < 0.7 }
    const { isDone } = await send('POST', `skills/${skill}/feedback`, body)
    if (isDone) certain.set(`feedback ${own.id} ${skill} ${slug}`, true)
    return isDone
  }
  const revoked = kind < 0.9 ? undefined : own.liveKeys.pop()
  if (revoked === undefined) {
    const { isDone, data } = await send('POST', 'api-keys', { name: slug })
    if (!isDone) return false
    own.liveKeys.push(data.id)
    certain.set(`active key ${data.id}`, true)
    return true
  }
  certain.delete(`active key ${revoked}`)
  const { isDone } = await send('DELETE', `api-keys/${revoked}`)
  if (isDone) certain.set(`revoked key ${revoked}`, true)
  return isDone
}

async function publish(
  { own, notes }: Turn,
  slug: string,
  send: (
    method: string,
    path: string,
    body: object,
  ) => Promise<{ isDone: boolean; data: { id: string } }>,
): Promise<boolean> {
  const row = `slug ${own.id} ${slug}`
  const readme = `# ${slug}\n\nHow to do ${slug} well.\n`
  try {
    const { isDone, data } = await send('POST', 'skills', { name: slug, slug, readme })
    notes.certain.set(row, isDone)
    if (!isDone) return false
    own.skills.push(data.id)
    notes.certain.set(`skill ${data.id} ${readme}`, true)
    return true
  } catch (error) {
    // Postgres may have committed before a 503, so the state of the row is unknown.
    if (error instanceof NotServed && error.status === undefined) notes.unanswered.push(row)
    throw error
  }
}

/** Returns descriptions of all rows. */
async function readRows(databaseUrl: string): Promise<Set<string>> {
  const db = await openDatabase(databaseUrl)
  const { read } = db
  try {
    const skills = await read
      .selectFrom('skills')
      .innerJoin('skill_versions', 'skill_versions.skill_id', 'skills.id')
      .select(['skills.id', 'skills.slug', 'skills.agent_id', 'skill_versions.readme'])
      .execute()
    const stars = await read.selectFrom('stars').select(['agent_id', 'skill_id']).execute()
    const judged = ['agent_id', 'skill_id', 'task'] as const
    const state = await read.selectFrom('feedback').select(judged).execute()
    const keys = await read.selectFrom('api_keys').select(['id', 'revoked_at']).execute()
    return new Set([
      ...skills.map(({ id, readme }) => `skill ${id} ${readme}`),
      ...skills.map(({ agent_id, slug }) => `slug ${agent_id} ${slug}`),
      ...stars.map(({ agent_id, skill_id }) => `star ${agent_id} ${skill_id}`),
      ...state.map(({ agent_id, skill_id, task }) => `feedback ${agent_id} ${skill_id} ${task}`),
      ...keys.map(
        ({ id, revoked_at }) => `${revoked_at === null ? 'active' : 'revoked'} key ${id}`,
      ),
    ])
  } finally {
    await db.close()
  }
}
