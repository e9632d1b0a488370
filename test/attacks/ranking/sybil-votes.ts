import { loadConfig } from '@skillpass/server/config/config'
import type { AppContext } from '@skillpass/server/context'
import { registerAgent } from '@skillpass/server/registry/agents'
import { catchUp } from '@skillpass/server/registry/catalogue/change-feed'
import { submitFeedback } from '@skillpass/server/registry/feedback'
import { publishSkill } from '@skillpass/server/registry/publish'
import { resolveTask } from '@skillpass/server/registry/resolve'
import { shownSkill } from '@skillpass/server/registry/skills'
import { findAgentByKey, type KeyHolder } from '@skillpass/server/registry/store/api-keys'
import { reweighVotes } from '@skillpass/server/registry/votes/reweigh'
import { trustScore, voteWeight } from '@skillpass/server/registry/votes/trust'
import { hashSecret } from '@skillpass/server/secrets/secrets'
import { startServer } from '@skillpass/server/serve'
import { createTestClock, type TestClock } from '../../support/clock.ts'
import { createTestDatabase } from '../../support/databases.ts'

/** Ten honest agents of ten networks against many of an attacker, who vote on skills that fit alike. */
export interface SybilScenario {
  sybils: number
  networks: number
  /** Days that the sybils are there and build a history before they attack; 0 is none. */
  waitDays: number
  /** Days since the honest agents registered. */
  honestDays: number
}

/** A skill as resolve and stats show it. */
export interface Shown {
  trust: number
  confidence: number
}

export interface SybilResult {
  /** Whether the skill that the honest agents found helpful still stands before the attacker's. */
  orderKept: boolean
  /** The attacker's skill, which all its agents call helpful. */
  promoted: { before: Shown; after: Shown }
  /** The honest agents' skill, which all the attacker's call unhelpful. */
  victim: { before: Shown; after: Shown }
  /** A skill nobody had judged, which the attacker's agents call unhelpful too. */
  unjudged: { before: Shown; after: Shown }
  /** Trust if every agent's vote counted one: of the attacker's skill and of its victim. */
  plainTrust: { promoted: number; victim: number }
}

const day = 86_400_000
const task = 'fill in a PDF form from a spreadsheet'
const honestCount = 10
const historyDays = 5

interface Voter {
  agent: KeyHolder
  network: string
}
type Skill = Awaited<ReturnType<typeof publish>>

/** Plays a scenario on a server of its own, on SQLite, through its operations. */
export async function playSybils(scenario: SybilScenario): Promise<SybilResult> {
  const clock = createTestClock()
  const database = await createTestDatabase('sqlite')
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    SNAPSHOT_DIR: 'off',
    LOG_LEVEL: 'silent',
  })
  const server = await startServer(config, { clock })
  try {
    return await play(server.ctx, clock, scenario)
  } finally {
    await server.stop()
    await database.remove()
  }
}

async function play(
  ctx: AppContext,
  clock: TestClock,
  scenario: SybilScenario,
): Promise<SybilResult> {
  const popular = await skillsOf(ctx, 'popular', 'pop')
  const honest = await voters(ctx, 'honest', honestCount, honestCount)
  await buildHistory(ctx, clock, honest, popular)
  clock.advance(Math.max(0, scenario.honestDays - scenario.waitDays - historyDays) * day)

  const { sybils: count, networks, waitDays } = scenario
  const sybils = await voters(ctx, 'sybil', count, networks)
  if (waitDays > 0) {
    const fellows = await skillsOf(ctx, 'fellow', 'sybil')
    // Popular skills and each other's, as one does who wants to look like anybody.
    const judged = popular.map((skill, i) => (i % 2 === 0 ? skill : (fellows[i] ?? skill)))
    await buildHistory(ctx, clock, sybils, judged)
    clock.advance((waitDays - historyDays) * day)
  }

  const { skill: victim } = await skillOf(ctx, 'victim')
  const { skill: promoted } = await skillOf(ctx, 'promoted')
  const { skill: unjudged } = await skillOf(ctx, 'unjudged')
  await vote(ctx, honest, victim, true)
  const before = await show(ctx, [promoted, victim, unjudged])
  await vote(ctx, sybils, promoted, true)
  await vote(ctx, sybils, victim, false)
  await vote(ctx, sybils, unjudged, false)
  await reweighVotes(ctx)
  await catchUp(ctx)
  const after = await show(ctx, [promoted, victim, unjudged])
  const shown = (skill: Skill) => ({ before: before.of(skill), after: after.of(skill) })
  return {
    orderKept: after.order.indexOf(victim.id) < after.order.indexOf(promoted.id),
    promoted: shown(promoted),
    victim: shown(victim),
    unjudged: shown(unjudged),
    plainTrust: {
      promoted: plainTrust(count, 0, clock.now()),
      victim: plainTrust(honestCount, count, clock.now()),
    },
  }
}

const plainTrust = (helpful: number, unhelpful: number, now: number) =>
  trustScore(
    {
      helpfulWeight: helpful * voteWeight(now),
      unhelpfulWeight: unhelpful * voteWeight(now),
      networkFetchCount: 0,
    },
    now,
  )

/** Agents that register from as many networks in turn. */
async function voters(ctx: AppContext, name: string, count: number, networks: number) {
  const made: Voter[] = []
  const numbers = Array.from({ length: count }, (_, i) => i)
  await inTens(numbers, async (i) => {
    const network = `${name} network ${i % networks}`
    made.push({ agent: await register(ctx, `${name}-${i}`, network), network })
  })
  return made
}

async function register(ctx: AppContext, username: string, network: string): Promise<KeyHolder> {
  const { apiKey } = await registerAgent(ctx, { username }, { network })
  const holder = await findAgentByKey(ctx.db.read, hashSecret(apiKey))
  if (!holder) throw new Error(`the key of ${username} opens nothing`)
  return holder
}

/** A skill for the task, of a publisher of its own. Their readme is too short to be told as a copy. */
async function skillOf(ctx: AppContext, name: string, network = `${name} publisher`) {
  const publisher = await register(ctx, `${name}-publisher`, network)
  const skill = await publish(ctx, publisher, {
    name: 'PDF form filler',
    slug: 'pdf-forms',
    description: 'Fills in PDF forms from a spreadsheet.',
    readme: '# PDF form filler\n\nRead the fields of the form, then fill them in.\n',
  })
  return { skill, publisher }
}

/** Five skills for other tasks, of five publishers of five networks. */
async function skillsOf(ctx: AppContext, name: string, networks: string) {
  const made: Skill[] = []
  for (let i = 0; i < historyDays; i++) {
    const publisher = await register(ctx, `${name}-publisher-${i}`, `${networks} network ${i}`)
    const fields = { name: `${name} ${i}`, slug: `${name}-${i}`, description: '', readme: '# It\n' }
    made.push(await publish(ctx, publisher, fields))
  }
  return made
}

const publish = async (
  ctx: AppContext,
  agent: KeyHolder,
  fields: { name: string; slug: string; description: string; readme: string },
) => (await publishSkill(ctx, agent, { ...fields, tags: [] }, () => {})).skill

/** Each votes on one of the skills a day. */
async function buildHistory(
  ctx: AppContext,
  clock: TestClock,
  who: readonly Voter[],
  skills: readonly Skill[],
) {
  for (const skill of skills) {
    await vote(ctx, who, skill, true)
    clock.advance(day)
  }
}

/** All read the skill, then say whether it helped. */
async function vote(ctx: AppContext, who: readonly Voter[], skill: Skill, helpful: boolean) {
  for (const { network } of who) {
    ctx.counters.fetched(skill.id, skill.version, { address: network, network, agentId: undefined })
  }
  await ctx.counters.flush()
  await inTens(who, ({ agent, network }) =>
    submitFeedback(ctx, agent, skill.id, { task, helpful }, network),
  )
}

/** Ten at once share a commit. */
async function inTens<T>(all: readonly T[], act: (each: T) => Promise<unknown>) {
  for (let i = 0; i < all.length; i += 10) await Promise.all(all.slice(i, i + 10).map(act))
}

async function show(ctx: AppContext, skills: readonly Skill[]) {
  const { data } = await resolveTask(ctx, { task, limit: 50, threshold: 0 })
  const order = data.map(({ skill }) => skill.id)
  const shown = new Map<string, Shown>()
  for (const { id } of skills) {
    const confidence = data.find(({ skill }) => skill.id === id)?.confidence ?? 0
    shown.set(id, { trust: trustScore(await shownSkill(ctx, id), ctx.clock.now()), confidence })
  }
  const of = ({ id }: Skill): Shown => shown.get(id) ?? { trust: 0, confidence: 0 }
  if (!skills.every(({ id }) => order.includes(id))) throw new Error('a skill was not answered')
  return { order, of }
}
