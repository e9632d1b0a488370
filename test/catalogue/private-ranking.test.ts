import { expect, test } from 'vitest'
import { type CorpusSkill, readSkills, readTasks } from '../support/corpus.ts'
import { pick, seededRandom } from '../support/random.ts'
import type { TestServer } from '../support/server.ts'
import { ask, serverForTest } from '../support/skills.ts'
import { uniqueWords } from '../support/words.ts'

type SkillRecord = Parameters<TestServer['ctx']['catalogue']['put']>[0]
type Visibility = SkillRecord['repository']['visibility']
type Text = Omit<CorpusSkill, 'id' | 'repo'>

const corpus = readSkills().slice(0, 216)
const tasks = readTasks().filter(({ relevant }) => relevant.length > 0)
const vocabulary = [...new Set(corpus.flatMap(({ readme }) => readme.match(/[a-z]+/g) ?? []))]
const samples = (every: number) => vocabulary.filter((_, i) => i % every === 0)

/** Returns a skill of words of the corpus and of misspelled words. */
function inventSkill(number: number): Text {
  const random = seededRandom(number)
  const word = () => {
    const found = pick(vocabulary, random) ?? ''
    return random() < 0.1 ? `${found.slice(0, 2)}${found.slice(3)}ings` : found
  }
  const phrase = (length: number) => Array.from({ length }, word).join(' ')
  const name = phrase(3)
  const own = uniqueWords(number, 150, ' ')
  const readme = `# ${name}\n\n${own}. ${phrase(60)}.\n\n## ${phrase(3)}\n\n${phrase(40)}.`
  const slug = `invented-${number}`
  return { owner: 'hidden', slug, name, description: phrase(14), tags: [word()], readme }
}

const invented = Array.from({ length: 2000 }, (_, number) => inventSkill(number))

const idOf = (number: number) => `0190a6f2-0000-7000-8000-${`${number}`.padStart(12, '0')}`

/** Puts a skill into a catalogue. Skills of an owner are in one repository of an agent. */
function put(
  { ctx }: TestServer,
  { owner, slug, name, description, tags, readme }: Text,
  number: number,
  {
    agentId = idOf(owner === 'hidden' ? 3 : 4),
    visibility = 'public' as Visibility,
    revision = 1,
  } = {},
): void {
  const repository = {
    ...{ id: idOf(owner === 'hidden' ? 1 : 2), owner, name: 'skills', agentId, verifiedAs: null },
    ...{ starCount: 0, upstreamStars: 0, downloadCount: 0, visibility },
  }
  const record: SkillRecord = {
    ...{ id: idOf(number), slug, name, description, indexedDescription: null, tags, version: 1 },
    ...{ digest: `sha256:${readme}`, starCount: 0, fetchCount: 0, networkFetchCount: 0 },
    ...{ feedbackCount: 0, helpfulCount: 0, helpfulWeight: 0, unhelpfulWeight: 0 },
    ...{ copyClaim: null, verdict: 'clean', findings: [], state: 'visible', stateBy: null },
    ...{ stateReason: null, license: null, source: null, createdAt: 1000, updatedAt: 1000 },
    ...{ revision, repository },
    ...{ label: null, sourceCommit: null, deprecated: null },
    owner: {
      ...{ id: agentId, username: owner, displayName: null, kind: 'agent', approval: 'none' },
      verifiedAs: null,
    },
  }
  ctx.catalogue.put(record, readme)
}

const resolving = (text: string) => `resolve?task=${encodeURIComponent(text)}&limit=20&threshold=0`
const searches = [
  ...samples(59).map((word) => `search?q=${word}&limit=50`),
  ...samples(61).map((word) => `search?q=${word.slice(0, 4)}&limit=50`),
  ...['search?limit=50', 'search?sort=recent&page=2', 'search?owner=hidden', 'trending'],
]
const paths = [
  ...searches,
  ...tasks.map(({ task }) => resolving(task)),
  // A letter is missing in each long word.
  ...tasks.map(({ task }) => resolving(task.replace(/\b([a-z]{3})[a-z]([a-z]{3,})/g, '$1$2'))),
  ...samples(47).map(resolving),
]

/** Returns answers for everybody, or for the agent of a key. */
async function answersOf(server: TestServer, paths: readonly string[], key?: string) {
  const answers: string[] = []
  for (const path of paths) {
    const response = await ask(server, 'GET', `/api/v1/skills/${path}`, key ? { key } : {})
    expect(response.status, path).toBe(200)
    answers.push(`${path} ${await response.text()}`)
  }
  return answers
}

/** Returns the nDCG@10 of the corpus's tasks, and the weights of their words. */
async function rank(server: TestServer, key?: string) {
  const { registry } = key === undefined ? server.client : server.clientFor(key)
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
  const gain = (isRelevant: boolean, rank: number) => Number(isRelevant) / Math.log2(rank + 2)
  const weights: unknown[] = []
  const gains: number[] = []
  for (const { task, relevant } of tasks) {
    const query = { task, limit: 10, threshold: 0 }
    const { data, tokenWeights } = await registry.skills.resolve({ query })
    const slugs = relevant.map((id) => id.split('/').at(-1))
    const found = data.map(({ skill }, rank) => gain(slugs.includes(skill.slug), rank))
    gains.push(sum(found) / sum(relevant.slice(0, 10).map((_, rank) => gain(true, rank))))
    weights.push(tokenWeights)
  }
  return { weights, nDcg: sum(gains) / gains.length }
}

const settle = ({ ctx }: TestServer) => ctx.catalogue.index.settled()

test('strangers get the same answers with and without 2,000 private skills, also after these change', async () => {
  const [without, mixed] = [await serverForTest(), await serverForTest()]
  const hidden = { visibility: 'private' } as const
  invented.forEach((text, i) => {
    put(mixed, text, i + 5000, hidden)
    const listed = corpus[i]
    if (listed)
      for (const server of [without, mixed]) put(server, { ...listed, owner: 'listed' }, i)
  })
  await Promise.all([without, mixed].map(settle))
  const expected = await answersOf(without, paths)
  expect(await answersOf(mixed, paths)).toEqual(expected)
  invented.forEach((_, i) => {
    if (i % 3 === 0) mixed.ctx.catalogue.remove(idOf(i + 5000))
    // The first of these moves the repository to another agent.
    else put(mixed, inventSkill(i + 2000), i + 5000, { ...hidden, agentId: idOf(5), revision: 2 })
  })
  await settle(mixed)
  expect(await answersOf(mixed, paths)).toEqual(expected)
}, 180_000)

test('a member finds private skills in the order in which all would find them if they were public', async () => {
  const [mixed, open] = [await serverForTest(), await serverForTest()]
  const member = await mixed.agent('member')
  const all = [...invented.slice(0, 400), ...corpus]
  all.forEach((text, i) => {
    const isPrivate = i % 2 === 0
    const sent = { ...text, owner: isPrivate ? 'hidden' : 'listed' }
    put(open, sent, i)
    put(mixed, sent, i, isPrivate ? { agentId: member.id, visibility: 'private' } : {})
  })
  await Promise.all([mixed, open].map(settle))
  const found = await answersOf(mixed, searches, member.apiKey)
  const asIfPublic = found.map((answer) =>
    answer
      .replaceAll(member.id, idOf(3))
      .replaceAll('"visibility":"private"', '"visibility":"public"'),
  )
  expect(asIfPublic).toEqual(await answersOf(open, searches))
  const [seen, wanted] = [await rank(mixed, member.apiKey), await rank(open)]
  expect(seen.weights).toEqual(wanted.weights)
  expect(Math.abs(seen.nDcg - wanted.nDcg)).toBeLessThan(0.005)
}, 180_000)
