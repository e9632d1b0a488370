import { createClient } from '@skillpass/client'
import { loadConfig } from '@skillpass/server/config/config'
import { requestEmbeddings } from '@skillpass/server/registry/embeddings/client'
import { startServer } from '@skillpass/server/serve'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestClock } from '../../support/clock.ts'
import { createTestDatabase } from '../../support/databases.ts'
import { startTestServer } from '../../support/server.ts'
import { publish, serverForTest, unique } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'
import { type Mode, startEmbeddingService } from './embedding-service.ts'

const patience = 15_000

/** What a service answers that has no vectors to give, at once. */
const troubles: Mode[] = [
  'cut off',
  '500',
  '401',
  'redirect',
  'html',
  'echo',
  'no data',
  'words for numbers',
  'one too few',
  'one too many',
  'one twice',
  'empty vectors',
  'endless',
]

describe('resolve by meaning', async () => {
  const service = await startEmbeddingService()
  const env = {
    EMBEDDINGS_URL: service.url,
    EMBEDDINGS_API_KEY: 'key-of-the-service',
    EMBEDDINGS_WEIGHT: '2',
    // However busy the machine is: lateness has a test of its own.
    EMBEDDINGS_TIMEOUT_MS: '10000',
  }
  const server = await startTestServer({ env })
  const plain = await startTestServer({ database: server.database })
  const agent = await server.agent('author')
  const words = await publish(agent, {
    name: 'Winter running',
    description: 'Keep running in winter: a marathon plan for cold days.',
  })
  const meaning = await publish(agent, {
    name: 'Winter automobile',
    description: 'Keep an automobile healthy: engine and vehicle care in winter.',
  })
  const more = [
    ['Bread', 'Bake bread in winter, recipe for any kitchen'],
    ['Letters', 'Write a letter in winter prose'],
    ['Tides', 'Read the tide tables of a harbour'],
  ] as const
  for (const [name, description] of more) await publish(agent, { name, description })
  /** Another one each time, so that its vector is not remembered. */
  const newTask = () => `keep my motor car, auto, running in winter ${unique('x')}`
  const resolveOn = ({ client }: typeof server, task: string, rest = {}) =>
    client.registry.skills.resolve({ query: { task, threshold: 0, ...rest } })
  type Answer = Awaited<ReturnType<typeof resolveOn>>
  const idsOf = ({ data }: Answer) => data.map(({ skill }) => skill.id)
  const firstOf = async (task = newTask()) => (await resolveOn(server, task)).data[0]?.skill.id
  const untilMeaningCounts = () =>
    eventually(async () => {
      server.clock.advance(120_000)
      expect(await firstOf()).toBe(meaning.id)
    })

  test('without EMBEDDINGS_URL words decide', async () => {
    await eventually(async () => {
      expect((await resolveOn(plain, newTask())).matched).toBe(4)
    })
    expect(plain.ctx.embeddings).toBeUndefined()
    expect((await resolveOn(plain, newTask())).data[0]?.skill.id).toBe(words.id)
  })

  test('meaning changes the order of an answer and nothing else', async () => {
    await untilMeaningCounts()
    const task = newTask()
    const [blended, byWords] = [await resolveOn(server, task), await resolveOn(plain, task)]
    expect(idsOf(blended)).not.toEqual(idsOf(byWords))
    const sorted = ({ data, ...rest }: Answer) => ({
      ...rest,
      data: [...data].sort((a, b) => (a.skill.id < b.skill.id ? -1 : 1)),
    })
    expect(sorted(blended)).toEqual(sorted(byWords))
  })

  test('the limit cuts after the order, the threshold keeps back as without meaning', async () => {
    await untilMeaningCounts()
    const one = await resolveOn(server, newTask(), { limit: 1 })
    expect(idsOf(one)).toEqual([meaning.id])
    expect(one.matched).toBe(4)
    const all = await resolveOn(plain, newTask())
    const best = Math.max(...all.data.map(({ confidence }) => confidence))
    const task = newTask()
    for (const threshold of [best / 2, best * 0.99]) {
      const [blended, byWords] = await Promise.all([
        resolveOn(server, task, { threshold }),
        resolveOn(plain, task, { threshold }),
      ])
      expect(blended.matched).toBe(byWords.matched)
      expect(idsOf(blended).sort()).toEqual(idsOf(byWords).sort())
    }
  })

  test('the service is sent the key, and each task once', async () => {
    await untilMeaningCounts()
    const task = newTask()
    const before = service.texts.length
    const answers = await Promise.all([1, 2, 3].map(() => resolveOn(server, task)))
    expect(answers.map((answer) => idsOf(answer)[0])).toEqual([meaning.id, meaning.id, meaning.id])
    expect(await firstOf(task)).toBe(meaning.id)
    expect(service.texts.slice(before)).toEqual([task])
    expect(service.authorization).toBe('Bearer key-of-the-service')
    expect(service.asked).toEqual({ input: [task], encoding_format: 'float' })
  })

  test.each(troubles)(
    'where the service is in trouble (%s) the answer is that of words',
    async (mode) => {
      await untilMeaningCounts()
      service.mode = mode
      onTestFinished(() => {
        service.mode = 'good'
      })
      const task = newTask()
      const before = service.texts.length
      expect(await resolveOn(server, task)).toEqual(await resolveOn(plain, task))
      expect(service.texts.slice(before)).toEqual([task])
    },
  )

  test('so it is where nothing listens any more, and with vectors of another size', async () => {
    await untilMeaningCounts()
    service.dimension = 6
    onTestFinished(() => {
      service.dimension = 5
    })
    const task = newTask()
    expect(await resolveOn(server, task)).toEqual(await resolveOn(plain, task))
    const gone = await serverForTest({
      database: server.database,
      env: { EMBEDDINGS_URL: 'http://127.0.0.1:1' },
    })
    expect(await resolveOn(gone, task)).toEqual(await resolveOn(plain, task))
  })

  test('a task is sent again once the service has another model', async () => {
    await untilMeaningCounts()
    const task = newTask()
    await resolveOn(server, task)
    service.dimension = 6
    onTestFinished(() => {
      service.dimension = 5
    })
    await resolveOn(server, newTask())
    const before = service.texts.length
    await resolveOn(server, task)
    await resolveOn(server, task)
    expect(service.texts.slice(before)).toEqual([task])
  })

  test('and where the vector of the task comes too late', async () => {
    await untilMeaningCounts()
    const hasty = await serverForTest({
      database: server.database,
      env: { ...env, EMBEDDINGS_TIMEOUT_MS: '20' },
    })
    service.mode = 'silent'
    onTestFinished(() => {
      service.mode = 'good'
    })
    const task = newTask()
    expect(await resolveOn(hasty, task)).toEqual(await resolveOn(plain, task))
    expect(service.texts).toContain(task)
    const metrics = await (await hasty.http('/metrics')).text()
    expect(metrics).toMatch(/^skillpass_resolve_meaning_total\{outcome="late"\} 1$/m)
  })

  test('a service that keeps failing is not asked for a while, then by one, then by all', async () => {
    await untilMeaningCounts()
    service.mode = '500'
    onTestFinished(() => {
      service.mode = 'good'
    })
    for (let i = 0; i < 3; i++) await firstOf()
    const asked = service.texts.length
    for (let i = 0; i < 5; i++) expect(await firstOf()).toBe(words.id)
    expect(service.texts.length).toBe(asked)
    server.clock.advance(10_000)
    for (let i = 0; i < 5; i++) expect(await firstOf()).toBe(words.id)
    expect(service.texts.length).toBe(asked + 1)
    service.mode = 'good'
    server.clock.advance(20_000)
    for (let i = 0; i < 5; i++) expect(await firstOf()).toBe(meaning.id)
  })

  test('a weight of 0 keeps the order and asks nothing for a task', async () => {
    const weightless = await serverForTest({
      database: server.database,
      env: { ...env, EMBEDDINGS_WEIGHT: '0' },
    })
    const task = newTask()
    expect(await resolveOn(weightless, task)).toEqual(await resolveOn(plain, task))
    expect(service.texts).not.toContain(task)
  })

  test('what came of it is counted', async () => {
    await untilMeaningCounts()
    const read = async () => (await server.http('/metrics')).text()
    // downloads that are counted late are revisions, too
    await expect.poll(read).toMatch(/^skillpass_embedding_lag_revisions 0$/m)
    const metrics = await read()
    expect(metrics).toMatch(/^skillpass_resolve_meaning_total\{outcome="reranked"\} [1-9]/m)
    expect(metrics).toMatch(/^skillpass_resolve_meaning_total\{outcome="failed"\} [1-9]/m)
    expect(metrics).toMatch(/^skillpass_resolve_meaning_total\{outcome="paused"\} [1-9]/m)
    expect(metrics).toMatch(/^skillpass_embedded_skills_total\{outcome="embedded"\} [1-9]/m)
  })
})

test.each([...troubles, 'sizes that differ'] as const)(
  'of an answer in trouble (%s) no vector is taken',
  async (mode) => {
    const service = await startEmbeddingService()
    const ask = () =>
      requestEmbeddings(
        { url: service.url, model: undefined, apiKey: undefined },
        ['about a car', 'about a recipe'],
        AbortSignal.timeout(patience),
      )
    const { vectors } = await ask()
    expect(vectors.map((vector) => vector.indexOf(127))).toEqual([0, 2])
    service.mode = mode
    await expect(ask()).rejects.toThrow(mode === 'endless' ? 'too long' : /./)
  },
)

test('no log holds a task or the key, whatever the service answers', async () => {
  const service = await startEmbeddingService()
  service.mode = 'echo'
  const database = await createTestDatabase('sqlite')
  const lines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => lines.push(line) })
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    EMBEDDINGS_URL: service.url,
    EMBEDDINGS_API_KEY: 'key-of-the-service',
    ADMISSION_CONTROL: 'off',
    LOG_LEVEL: 'trace',
  })
  const server = await startServer(config, { clock: createTestClock(), log })
  onTestFinished(async () => {
    await server.stop()
    await database.remove()
  })
  const { registry } = createClient({ baseUrl: server.url, retries: 0 })
  const { data } = await registry.agents.register({ body: { username: 'author' } })
  const client = createClient({ baseUrl: server.url, apiKey: data.apiKey, retries: 0 })
  for (const name of ['Winter tyres', 'Winter coats']) await publish({ client }, { name })
  for (const secret of ['planted-one', 'planted-two', 'planted-three']) {
    await registry.skills.resolve({ query: { task: `winter ${secret}`, threshold: 0 } })
    expect(service.texts).toContain(`winter ${secret}`)
  }
  const logged = lines.join('')
  expect(logged).toContain('no vectors for tasks')
  expect(logged).not.toContain('planted')
  expect(logged).not.toContain('key-of-the-service')
})
