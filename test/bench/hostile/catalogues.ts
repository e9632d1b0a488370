import { makeFolder } from '../../support/cleanup.ts'
import { createTestClock } from '../../support/clock.ts'
import { type CorpusSkill, readSkills, readTasks, type Task } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import { startTestServer } from '../../support/server.ts'
import { fillDatabase } from '../fill-database.ts'
import { databaseIn } from '../processes.ts'
import { createQualityMeter } from '../quality.ts'
import {
  attackOf,
  BROAD_ATTACKS,
  chunks,
  copyOf,
  POINTED_ATTACKS,
  type Publication,
  type Target,
} from './attackers.ts'

/** How much of the bench is run. */
interface HostileBench {
  /** Tasks asked, spread evenly over the positive ones of dev. */
  tasks: number
  /** Skills of each catalogue; more than there are means all of them. */
  sizes: readonly number[]
  /** Skills of the corpus that attackers have read, to know which words are rare. */
  read: number
}

/** What one attack did to a catalogue, over all tasks. */
interface AttackOutcome {
  size: number
  attack: string
  /** Tasks it was tried on. */
  tasks: number
  /** How often the attacker stood first, and how often first with at least `ANSWERED`. */
  first: number
  answered: number
  /** Confidence of the attacker, wherever it stood; 0 where it was not among the ten. */
  meanConfidence: number
  mostConfidence: number
}

/** What the same catalogue gave without an attacker, or with one that is there but not copied. */
interface HonestOutcome {
  size: number
  tasks: number
  ndcg: number
  first: number
}

interface HostileOutcome {
  attacks: AttackOutcome[]
  honest: HonestOutcome[]
}

export const ANSWERED = 0.3
/** Tasks that share a catalogue, and that an attacker with one skill goes for. */
const GROUP = 12

/** Runs every attack on catalogues of every size, through running servers. */
export async function attackCatalogues({
  tasks,
  sizes,
  read,
}: HostileBench): Promise<HostileOutcome> {
  const skills = readSkills()
  const asked = spread(
    readTasks().filter(({ kind }) => kind === 'positive'),
    tasks,
  )
  const rarity = rarityOf(skills.slice(0, read))
  const outcome: HostileOutcome = { attacks: [], honest: [] }
  for (const size of sizes) {
    const tally = createTally(Math.min(size, skills.length))
    const groups = chunks(asked, GROUP)
    if (size >= skills.length) await attackOne(skills, groups, { rarity, tally })
    else {
      for (const [number, group] of groups.entries()) {
        await attackOne(draw(skills, group, size, number), [group], { rarity, tally })
      }
    }
    const { attacks, honest } = tally.outcome()
    outcome.attacks.push(...attacks)
    outcome.honest.push(honest)
  }
  return outcome
}

/** So many of them, at even distances. */
const spread = <T>(all: readonly T[], count: number): T[] =>
  Array.from(
    { length: Math.min(count, all.length) },
    (_, i) => all[Math.floor((i * all.length) / Math.min(count, all.length))] as T,
  )

/** One skill that serves each task, filled up with random others: the same for a number. */
function draw(
  skills: readonly CorpusSkill[],
  tasks: readonly Task[],
  size: number,
  number: number,
): CorpusSkill[] {
  const ids = new Set(tasks.flatMap(({ relevant }) => relevant.slice(0, 1)))
  for (const { id } of shuffled(skills, seededRandom(100 + number))) {
    if (ids.size >= size) break
    ids.add(id)
  }
  return skills.filter(({ id }) => ids.has(id))
}

/** In how many skills a word stands: what anybody may learn of a public catalogue. */
function rarityOf(skills: readonly CorpusSkill[]): Target['rarity'] {
  const counts = new Map<string, number>()
  for (const { name, description, readme } of skills) {
    const text = `${name} ${description} ${readme}`.toLowerCase()
    for (const word of new Set(text.match(/[a-z][a-z0-9]{2,}/g))) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return (word) => counts.get(word) ?? 0
}

interface Campaign {
  rarity: Target['rarity']
  tally: ReturnType<typeof createTally>
}

function createTally(size: number) {
  const attacks = new Map<string, Omit<AttackOutcome, 'size' | 'attack'>>()
  const quality = createQualityMeter()
  let tasks = 0
  return {
    attacked(attack: string, hits: readonly Hit[], attacker: string) {
      const known = attacks.get(attack) ?? {
        tasks: 0,
        first: 0,
        answered: 0,
        meanConfidence: 0,
        mostConfidence: 0,
      }
      const rank = hits.findIndex(({ id }) => id === attacker)
      const own = hits[rank]?.confidence ?? 0
      known.tasks++
      if (rank === 0) known.first++
      if (rank === 0 && own >= ANSWERED) known.answered++
      known.meanConfidence += own
      known.mostConfidence = Math.max(known.mostConfidence, own)
      attacks.set(attack, known)
    },
    honest(hits: readonly Hit[], right: ReadonlySet<string>) {
      tasks++
      quality.add(
        hits.map(({ id }) => id),
        [...right],
      )
    },
    outcome() {
      const { ndcg, first } = quality.mean()
      return {
        attacks: Array.from(attacks, ([attack, each]): AttackOutcome => {
          return { size, attack, ...each, meanConfidence: each.meanConfidence / each.tasks }
        }),
        honest: { size, tasks, ndcg, first },
      }
    },
  }
}

interface Hit {
  id: string
  confidence: number
}

/** Runs every attack against the groups of tasks on a server with these skills. */
async function attackOne(
  skills: readonly CorpusSkill[],
  groups: readonly (readonly Task[])[],
  campaign: Campaign,
): Promise<void> {
  const server = await startHostileServer(skills)
  try {
    for (const group of groups) await attackGroup(server, group, campaign)
  } finally {
    await server.stop()
  }
}

async function attackGroup(
  server: HostileServer,
  group: readonly Task[],
  { rarity, tally }: Campaign,
): Promise<void> {
  const texts = group.map(({ task }) => task)
  const attacker = await server.register()
  for (const task of group) tally.honest(await server.resolve(task.task), server.serving(task))
  for (const kind of BROAD_ATTACKS) {
    const id = await attacker.publish(attackOf(kind, { tasks: texts, rarity }))
    for (const task of group) {
      tally.attacked(kind, await server.resolve(task.task), id)
    }
    await attacker.remove(id)
  }
  for (const task of group) {
    const tryOne = async (kind: string, skill: Publication) => {
      const id = await attacker.publish(skill)
      tally.attacked(kind, await server.resolve(task.task), id)
      return id
    }
    for (const kind of POINTED_ATTACKS) {
      const tasks = [...texts.filter((text) => text !== task.task), task.task]
      await attacker.remove(await tryOne(kind, attackOf(kind, { tasks, rarity })))
    }
    const victim = server.best(task)
    if (!victim) continue
    await attacker.remove(await tryOne('exact copy', copyOf(victim, false)))
    await attacker.remove(await tryOne('copy with curl | sh', copyOf(victim, true)))
  }
}

type HostileServer = Awaited<ReturnType<typeof startHostileServer>>

/** The whole server over a database of the skills, published a day before any attacker. */
async function startHostileServer(skills: readonly CorpusSkill[]) {
  const { path, remove } = await makeFolder()
  await fillDatabase(path, skills)
  const clock = createTestClock()
  clock.setWall(Date.now() + 86_400_000)
  const database = { engine: 'sqlite', url: databaseIn(path), remove } as const
  const { ctx, client, agent, end } = await startTestServer({ database, clock, random: true })
  const addressOf = ({ owner, repo, slug }: CorpusSkill) => {
    // slugs that the API does not allow are changed by an import
    const allowed = slug.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')
    return ctx.catalogue.at(owner, repo, slug)?.id ?? ctx.catalogue.at(owner, repo, allowed)?.id
  }
  const idOf = new Map<string, string>()
  for (const skill of skills) {
    const id = addressOf(skill)
    if (id !== undefined) idOf.set(skill.id, id)
  }
  const textOf = new Map(skills.map((skill) => [skill.id, skill]))
  return {
    stop: () => end().finally(remove),
    async resolve(task: string): Promise<Hit[]> {
      const query = { task, limit: 10, threshold: 0.000_001 }
      const { data } = await client.registry.skills.resolve({ query })
      return data.map(({ skill, confidence }) => ({ id: skill.id, confidence }))
    },
    /** Ids of the skills that serve a task. */
    serving: ({ relevant }: Task): Set<string> =>
      new Set(relevant.flatMap((id) => idOf.get(id) ?? [])),
    /** The first of them within the bounds of the API, as a publication. */
    best({ relevant }: Task): Publication | undefined {
      for (const name of relevant) {
        const [id, text] = [idOf.get(name), textOf.get(name)]
        const card = id === undefined ? undefined : ctx.catalogue.get(id)
        if (id === undefined || !text || !card) continue
        const { slug, name: title, description, tags } = card
        return { slug, name: title, description, tags: [...tags], readme: text.readme }
      }
      return undefined
    },
    async register() {
      const { skills } = (await agent('stranger')).client.registry
      return {
        publish: async (body: Publication) => (await skills.publish({ body })).data.id,
        remove: (id: string) => skills.delete({ params: { id } }),
      }
    },
  }
}
