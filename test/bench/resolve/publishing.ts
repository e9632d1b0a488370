import type { CorpusSkill } from '../../support/corpus.ts'
import { asImported } from '../fill-database.ts'
import type { BenchServer } from '../processes.ts'
import { post, registerOne } from '../publisher.ts'
import { newTasks } from '../requests/read-requests.ts'
import { closedLoop, type LoopResult } from './closed-loop.ts'

/** What publishing costs while the catalogue is full; milliseconds. */
export interface PublishingFigures {
  /** From the answer of a publication until the skill is first in resolve. */
  found: { p50: number; longest: number }
  /** Resolve, asked over one connection while skills are published over many. */
  asked: LoopResult
  /** Longest time that the event loop was held meanwhile. */
  longestHold: number
}

const lookedFor = 30
const publishers = 32
/** Less than publishing takes. */
const askedSeconds = 2

/** Publishes the skills, looking for some of them, with a new agent's key. */
export async function measurePublishing(
  server: BenchServer,
  skills: readonly CorpusSkill[],
): Promise<PublishingFigures> {
  const publish = await createPublisher(server.url)
  const waits: number[] = []
  for (let i = 0; i < lookedFor; i++) waits.push(await untilFound(server.url, publish, i))
  waits.sort((a, b) => a - b)
  await server.longestHold()
  const rest = skills.flatMap((skill) => asImported(skill) ?? [])[Symbol.iterator]()
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await publish(next.value)
  }
  const [asked] = await Promise.all([
    closedLoop(server.url, newTasks(), { connections: 1, seconds: askedSeconds }),
    ...Array.from({ length: publishers }, worker),
  ])
  return {
    found: {
      p50: waits[Math.floor(waits.length / 2)] ?? Number.NaN,
      longest: waits.at(-1) ?? Number.NaN,
    },
    asked,
    longestHold: await server.longestHold(),
  }
}

type Publication = Pick<CorpusSkill, 'name' | 'slug' | 'description' | 'tags' | 'readme'>

/** Gives a function that publishes and gives the id. */
async function createPublisher(url: string): Promise<(skill: Publication) => Promise<string>> {
  const apiKey = await registerOne(url, 'publisher')
  return async ({ name, slug, description, tags, readme }) => {
    const body = { name, slug, description, tags, readme }
    return (await post<{ id: string }>(url, '/skills', body, apiKey)).id
  }
}

/** Words that no other skill has. */
const subjects = ['quoxilant', 'brezimund', 'tarvoncle', 'wixopherd', 'yandruvic']

async function untilFound(
  url: string,
  publish: (skill: Publication) => Promise<string>,
  number: number,
): Promise<number> {
  const subject = `${subjects[number % subjects.length]}${String.fromCharCode(97 + (number % 26))}`
  const id = await publish({
    name: `${subject} polisher`,
    slug: `${subject}-polisher-${number}`,
    description: `Polish a ${subject} until it shines. Use when a ${subject} has become dull.`,
    tags: [],
    readme: `# ${subject} polisher\n\n1. Clean the ${subject}.\n2. Polish it.\n`,
  })
  const begun = performance.now()
  const query = new URLSearchParams({ task: `polish a ${subject} until it shines` })
  for (;;) {
    const answer = await fetch(`${url}/api/v1/skills/resolve?${query}`)
    const { data } = (await answer.json()) as { data: { skill: { id: string } }[] }
    const waited = performance.now() - begun
    if (data[0]?.skill.id === id) return waited
    if (waited > 10_000) throw new Error('a published skill was not found')
  }
}
