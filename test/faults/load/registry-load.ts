import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@skillpass/server/db/open'
import { pick, seededRandom } from '../../support/random.ts'
import {
  type Answers,
  BrokenAnswer,
  fetchWhole,
  type Load,
  type Pace,
  untilMore,
  type Verdict,
} from './load.ts'

/** What one client, an agent of its own, knows of its writes. */
interface AgentNotes {
  agentId: string
  apiKey: string
  /** Skills that were acknowledged, with the readme they were published with. */
  published: Map<string, string>
  /** Slugs whose publication got no answer, or a refusal. */
  unanswered: Set<string>
  refused: Set<string>
  /** Skill → whether it is starred; undefined while a write has no answer. */
  stars: Map<string, boolean | undefined>
  /** Skill → the task of the latest feedback. */
  feedback: Map<string, string | undefined>
  /** Key id → its secret, and whether it lives. */
  keys: Map<string, { key: string; alive: boolean | undefined }>
}

interface LoadOptions extends Pace {
  url: string
  clients?: number
  seed?: number
}

/** Registers the clients and lets them write until they are stopped; errors do not end them. */
export async function startRegistryLoad({
  url,
  clients = 32,
  seed = 1,
  send = fetchWhole,
  restMs = 0,
}: LoadOptions): Promise<Load> {
  const random = seededRandom(seed)
  const answers: Answers = {}
  let stopped = false

  const broken: string[] = []
  const ask: Ask = async (apiKey, method, path, body) => {
    const answer = await request(url, apiKey, method, path, body, send).catch((error: unknown) => {
      if (error instanceof BrokenAnswer) broken.push(error.message)
      return undefined
    })
    const name = String(answer?.status ?? 'none')
    answers[name] = (answers[name] ?? 0) + 1
    return answer
  }

  const notes = await Promise.all(
    Array.from({ length: clients }, (_, i) =>
      register(url, `load-${seed}-${i}-${Date.now().toString(36)}`),
    ),
  )

  const running = notes.map(async (own, client) => {
    for (let turn = 0; !stopped; turn++) {
      const everyone = notes[Math.floor(random() * notes.length)] ?? own
      const served = await step(own, everyone, `s-${client}-${turn}`, random, ask)
      // A server that is gone serves nobody; asking it in a tight loop would only burn the CPU.
      const rest = served ? restMs : Math.max(20, restMs)
      if (rest > 0) await pause(rest)
    }
  })

  const acknowledged = () =>
    Object.entries(answers).reduce((sum, [s, n]) => (s.startsWith('2') ? sum + n : sum), 0)

  return {
    answers,
    broken,
    acknowledged,
    kinds: () => ({ registry: acknowledged() }),
    untilMore: (count) => untilMore(count, acknowledged),
    stop: async () => {
      stopped = true
      await Promise.all(running)
    },
    snapshot: () => {
      const now = notes.map(({ agentId, apiKey, published }) => ({
        ...noNotes(agentId, apiKey),
        published: new Map(published),
      }))
      return notesOf(now)
    },
    notes: notesOf(notes),
  }
}

const notesOf = (all: AgentNotes[]) => ({
  verify: (databaseUrl: string) => verify(databaseUrl, all),
})

async function register(url: string, username: string): Promise<AgentNotes> {
  let made = await request(url, '', 'POST', '/api/v1/agents/register', { username })
  for (let again = 0; made.status === 503 && again < 5; again++) {
    await pause(500)
    made = await request(url, '', 'POST', '/api/v1/agents/register', { username })
  }
  if (made.status !== 201) throw new Error(`registration answered ${made.status}`)
  const { id, apiKey } = made.body.data ?? {}
  return noNotes(String(id), String(apiKey))
}

const noNotes = (agentId: string, apiKey: string): AgentNotes => ({
  agentId,
  apiKey,
  published: new Map(),
  unanswered: new Set(),
  refused: new Set(),
  stars: new Map(),
  feedback: new Map(),
  keys: new Map(),
})

interface Answer {
  status: number
  body: { data?: Record<string, unknown> }
}

type Ask = (
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
) => Promise<Answer | undefined>

async function request(
  url: string,
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
  send = fetchWhole,
): Promise<Answer> {
  const answer = await send(url + path, {
    method,
    headers: {
      ...(apiKey ? { Authorization: `Bearer ${apiKey}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

/** Whether an answer came and was not that the server cannot serve. */
const isServed = (answer: Answer | undefined): boolean =>
  answer !== undefined && answer.status !== 503

/** One write of a client; false when it was not served. */
async function step(
  own: AgentNotes,
  other: AgentNotes,
  slug: string,
  random: () => number,
  ask: Ask,
): Promise<boolean> {
  const skill = pick([...other.published.keys()], random)
  const kind = skill === undefined ? 0 : random()
  if (skill === undefined || kind < 0.35) {
    const readme = `# ${slug}\n\nHow to do ${slug} well.\n`
    const body = { name: slug, slug, readme }
    const answer = await ask(own.apiKey, 'POST', '/api/v1/skills', body)
    if (answer?.status === 201) own.published.set(String(answer.body.data?.id), readme)
    else if (answer === undefined) own.unanswered.add(slug)
    // A 503 of Postgres may have come after the commit, so it says nothing of the write.
    else if (answer.status !== 503) own.refused.add(slug)
    return isServed(answer)
  }
  if (kind < 0.55) {
    const starred = own.stars.get(skill) !== true
    own.stars.set(skill, undefined)
    const method = starred ? 'POST' : 'DELETE'
    const answer = await ask(own.apiKey, method, `/api/v1/skills/${skill}/star`)
    if (answer?.status === 200) own.stars.set(skill, starred)
    return isServed(answer)
  }
  if (kind < 0.75) {
    const task = `task ${slug}`
    own.feedback.set(skill, undefined)
    const body = { task, helpful: random() < 0.7 }
    const answer = await ask(own.apiKey, 'POST', `/api/v1/skills/${skill}/feedback`, body)
    if (answer?.status === 200) own.feedback.set(skill, task)
    return isServed(answer)
  }
  const alive = pick(
    [...own.keys].filter(([, key]) => key.alive === true).map(([id]) => id),
    random,
  )
  if (alive === undefined || kind < 0.9) {
    const answer = await ask(own.apiKey, 'POST', '/api/v1/api-keys', { name: slug })
    const { id, key } = answer?.body.data ?? {}
    if (answer?.status === 201) own.keys.set(String(id), { key: String(key), alive: true })
    return isServed(answer)
  }
  const known = own.keys.get(alive)
  if (known) known.alive = undefined
  const answer = await ask(own.apiKey, 'DELETE', `/api/v1/api-keys/${alive}`)
  if (known && answer?.status === 200) known.alive = false
  return isServed(answer)
}

async function verify(databaseUrl: string, all: AgentNotes[]): Promise<Verdict> {
  const db = await openDatabase(databaseUrl)
  const lost: string[] = []
  let checked = 0
  const expectThat = (holds: boolean, what: string) => {
    checked++
    if (!holds) lost.push(what)
  }
  try {
    const skills = await db.read
      .selectFrom('skills')
      .innerJoin('skill_versions', 'skill_versions.skill_id', 'skills.id')
      .select(['skills.id', 'skills.slug', 'skills.agent_id', 'skill_versions.readme'])
      .execute()
    const readmes = new Map(skills.map(({ id, readme }) => [id, readme]))
    const slugs = new Set(skills.map((row) => `${row.agent_id} ${row.slug}`))
    const stars = new Set(
      (await db.read.selectFrom('stars').select(['agent_id', 'skill_id']).execute()).map(
        (row) => `${row.agent_id} ${row.skill_id}`,
      ),
    )
    const feedback = new Map(
      (
        await db.read
          .selectFrom('feedback')
          .select(['agent_id', 'skill_id', 'task'])
          .orderBy('day')
          .execute()
      ).map((row) => [`${row.agent_id} ${row.skill_id}`, row.task]),
    )
    const keys = new Map(
      (await db.read.selectFrom('api_keys').select(['id', 'revoked_at']).execute()).map((row) => [
        row.id,
        row.revoked_at,
      ]),
    )
    for (const own of all) {
      for (const [id, readme] of own.published) {
        expectThat(readmes.get(id) === readme, `skill ${id}`)
      }
      for (const slug of own.refused) {
        expectThat(!slugs.has(`${own.agentId} ${slug}`), `refused, yet kept: ${slug}`)
      }
      for (const [id, starred] of own.stars) {
        if (starred === undefined) continue
        expectThat(stars.has(`${own.agentId} ${id}`) === starred, `star ${own.agentId} ${id}`)
      }
      for (const [id, task] of own.feedback) {
        if (task === undefined) continue
        expectThat(feedback.get(`${own.agentId} ${id}`) === task, `feedback ${own.agentId} ${id}`)
      }
      for (const [id, { alive }] of own.keys) {
        if (alive === undefined) continue
        const revokedAt = keys.get(id)
        expectThat(alive ? revokedAt === null : typeof revokedAt === 'number', `key ${id}`)
      }
    }
    const keptUnanswered = all.flatMap(({ agentId, unanswered }) =>
      [...unanswered].filter((slug) => slugs.has(`${agentId} ${slug}`)),
    )
    return { checked, lost, keptUnanswered }
  } finally {
    await db.close()
  }
}
