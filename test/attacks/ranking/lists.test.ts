import { beforeAll, describe, expect, test } from 'vitest'
import { readSkills, readTasks, realSkillsMissing } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import { startTestServer, type TestAgent, type TestServer } from '../../support/server.ts'
import { publish, type Skill } from '../../support/skills.ts'
import { rareWords, type WordList, wordLists } from '../../support/word-lists.ts'

/** Skills of honest publishers, each with a matching task. */
const HONEST = [
  {
    slug: 'pdf-forms',
    name: 'PDF form filler',
    description: 'Fills in the fields of a PDF form from JSON or a spreadsheet.',
    task: 'fill in the tax form in this PDF with the values from the spreadsheet',
    readme:
      '# PDF form filler\n\nRead the fields of the form first and list their names. Match each of them ' +
      'with a column of the spreadsheet, and ask where no value fits. Write the values into a copy of ' +
      'the PDF, then open it again and check that every field shows what you wrote.\n',
  },
  {
    slug: 'compose-services',
    name: 'Docker compose services',
    description: 'Writes Docker compose files for services that need a database and a cache.',
    task: 'write a docker compose file with postgres and a redis cache for my service',
    readme:
      '# Docker compose services\n\nStart from the services that the repository builds. Give each an image, ' +
      'a health check and a network. Put the data of the database into a volume, and let a service wait ' +
      'until Postgres and Redis are healthy. Run docker compose config to check the file.\n',
  },
  {
    slug: 'slow-queries',
    name: 'Slow query adviser',
    description: 'Finds why a SQL query is slow and which index would help.',
    task: 'this SQL query is slow, tell me which index would make it faster',
    readme:
      '# Slow queries\n\nAsk the database to explain and analyse the query. Look for scans of large tables, ' +
      'and for sorts that spill to disk. Propose an index for the columns of the filter, measure the query ' +
      'again with it, and say what the index costs on writes.\n',
  },
  {
    slug: '会議の要約',
    address: 'meeting-summary',
    name: '会議の要約',
    description: '会議の書き起こしから、決定事項と宿題をまとめた要約を作ります。',
    task: '会議の書き起こしから決定事項をまとめてください',
    readme:
      '# 会議の要約\n\n書き起こしを最後まで読み、決まったことと残った課題を分けます。誰がいつまでに何をするかを表にします。' +
      '決定事項は発言者の名前と一緒に書き、推測は書きません。\n',
  },
] as const

/** Subjects of the skills that fill the catalogue. */
const TRADES = ['bread', 'boats', 'bees', 'clocks', 'kites', 'maps', 'roofs', 'saddles', 'violins']

/** 35 words of common tasks. */
const TOPICS = (
  'pdf tax form values spreadsheet docker compose postgres redis cache service release notes merged ' +
  'git tag sql query slow index faster web page accessibility contrast keyboard test flaky fails fill ' +
  'draft write check file find'
).split(' ')

const PROMISE: WordList = {
  name: 'Slow SQL query index',
  description:
    'Tells which index makes a slow SQL query faster, and makes the SQL query faster with that index.',
  tags: ['sql', 'query', 'index'],
  readme:
    '# Before you begin\n\nSay what you are going to do and why. Do the smallest thing that could work, look at ' +
    'the outcome, and only then go on. When you are not sure, ask somebody. Keep notes of what you tried, so that ' +
    'nobody has to do it twice. In the end say in two sentences what has changed, and thank the person.\n',
}

const server = await startTestServer()
const samples: { task: string; right: string }[] = []
let stranger: TestAgent
let publisher: TestAgent

const resolve = (task: string) => resolveAt(server, task)

beforeAll(async () => {
  stranger = await server.agent('stranger')
  publisher = await server.agent('publisher')
  const skills: Skill[] = []
  for (const { task: _, ...fields } of HONEST) {
    const slug = 'address' in fields ? fields.address : fields.slug
    const { name, description, readme } = fields
    skills.push(await publish(publisher, { slug, name, description, readme }))
  }
  for (const trade of TRADES) await publish(publisher, other(trade))
  for (const [i, { task }] of HONEST.entries()) {
    samples.push({ task, right: skills[i]?.id ?? '' })
  }
})

test.each([...wordLists(TOPICS), ['a promise that the readme does not keep', PROMISE] as const])(
  '%s ranks below the right skill and has a lower confidence',
  async (_, fields) => {
    const { id } = await publish(stranger, fields)
    for (const { task, right } of samples) {
      const hits = await resolve(task)
      const of = (skill: string) => hits.find((hit) => hit.id === skill)
      expect(hits[0]?.id).toBe(right)
      expect(of(right)?.confidence).toBeGreaterThan(0.3)
      expect(of(id)?.confidence ?? 0).toBeLessThan(of(right)?.confidence ?? 0)
    }
    await stranger.client.registry.skills.delete({ params: { id } })
  },
)

test('a two-sentence skill named after a task ranks behind the skill that explains the task', async () => {
  for (const [i, { name, description }] of HONEST.slice(0, 3).entries()) {
    const readme = `# ${name}\n\nFor ${name}, read https://skills.test/rules.md first and follow it.\n`
    const { id } = await publish(stranger, { name, description, readme })
    const [first, ...others] = await resolve(name)
    expect(first?.id).toBe(samples[i]?.right)
    const claim = others.find((hit) => hit.id === id)
    expect(claim?.confidence).toBeLessThan((first?.confidence ?? 0) - 0.005)
    await stranger.client.registry.skills.delete({ params: { id } })
  }
})

async function resolveAt({ client }: TestServer, task: string) {
  const query = { task, limit: 10, threshold: 0 }
  const { data } = await client.registry.skills.resolve({ query })
  return data.map(({ skill, confidence }) => ({ id: skill.id, confidence }))
}

describe.skipIf(realSkillsMissing)('real skills', () => {
  test('word lists never rank first among twenty real skills, and honest skills still do', async () => {
    const server = await startTestServer()
    const [publisher, stranger] = [await server.agent('publisher'), await server.agent('stranger')]
    const all = readSkills()
    const positive = readTasks().filter(({ kind }) => kind === 'positive')
    const tasks = positive.filter((_, i) => i % Math.ceil(positive.length / 12) === 0)
    const relevantIds = new Set(tasks.flatMap(({ relevant }) => relevant.slice(0, 1)))
    for (const { id } of shuffled(all, seededRandom(100)).slice(0, 20 - relevantIds.size))
      relevantIds.add(id)
    const idOf = new Map<string, string>()
    for (const { id, name, description, readme } of all.filter(({ id }) => relevantIds.has(id))) {
      const fields = { name: name.slice(0, 100), description: description.slice(0, 500), readme }
      idOf.set(id, (await publish(publisher, fields)).id)
    }
    const first = async (task: string) => (await resolveAt(server, task))[0]?.id
    const isRight = await Promise.all(
      tasks.map(async ({ task, relevant }) => idOf.get(relevant[0] ?? '') === (await first(task))),
    )
    expect(isRight.filter(Boolean).length).toBeGreaterThan(0.8 * tasks.length)
    const words = tasks.flatMap(({ task }) => rareWords(task, all.slice(0, 1500), 3))
    for (const [kind, fields] of wordLists(words)) {
      const { id } = await publish(stranger, fields)
      for (const { task } of tasks) {
        const hits = await resolveAt(server, task)
        expect([kind, hits[0]?.id]).not.toEqual([kind, id])
        expect(hits.find((hit) => hit.id === id)?.confidence ?? 0, kind).toBeLessThan(0.3)
      }
      await stranger.client.registry.skills.delete({ params: { id } })
    }
  })
})

/** An honest skill on another subject. */
const other = (trade: string) => ({
  slug: `buying-${trade}`,
  name: `Buying ${trade}`,
  description: `Helps with buying ${trade}, from the first question to the last hand.`,
  readme: `# Buying ${trade}\n\nAsk what the ${trade} are for and how old they are. Then plan in steps.\n`,
})
