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
import {
  type EmbeddingService,
  lengthenTimeouts,
  type Mode,
  startEmbeddingService,
} from './embedding-service.ts'

lengthenTimeouts()

/** Answers without usable vectors. */
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
    EMBEDDINGS_TIMEOUT_MS: '10000',
  }
  const server = await startTestServer({ env })
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
  // It starts last, so that it knows every skill.
  const plain = await startTestServer({ database: server.database })
  /** A new task each time, so that its vector is not remembered. */
  const newTask = () => `keep my motor car, auto, running in winter ${unique('x')}`
  const resolveOn = ({ client }: typeof server, task: string, rest = {}) =>
    client.registry.skills.resolve({ query: { task, threshold: 0, ...rest } })
  type Answer = Awaited<ReturnType<typeof resolveOn>>
  const idsOf = ({ data }: Answer) => data.map(({ skill }) => skill.id)
  /** How often the service was sent a task, beside the texts of skills. */
  const timesSent = (task: string) => service.texts.filter((text) => text === task).length
  const tasksSent = () =>
    service.texts.filter((text) => text.startsWith('keep my motor car')).length
  /** Changes the service until the end of the test. */
  const change = (changes: Partial<Pick<EmbeddingService, 'mode' | 'dimension'>>) => {
    Object.assign(service, changes)
    onTestFinished(() => {
      Object.assign(service, { mode: 'good', dimension: 5 })
    })
  }
  const firstOf = async (task = newTask()) => (await resolveOn(server, task)).data[0]?.skill.id
  const untilMeaningCounts = () =>
    eventually(async () => {
      server.clock.advance(120_000)
      expect(await firstOf()).toBe(meaning.id)
    })

  test('without EMBEDDINGS_URL the words decide the order', async () => {
    expect((await resolveOn(plain, newTask())).matched).toBe(4)
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

  test('the limit applies after the order by meaning, and the threshold as without meaning', async () => {
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

  test('the service gets the API key, and each task once', async () => {
    await untilMeaningCounts()
    const task = newTask()
    const answers = await Promise.all([1, 2, 3].map(() => resolveOn(server, task)))
    expect(answers.map((answer) => idsOf(answer)[0])).toEqual([meaning.id, meaning.id, meaning.id])
    expect(await firstOf(task)).toBe(meaning.id)
    expect(timesSent(task)).toBe(1)
    expect(service.authorization).toBe('Bearer key-of-the-service')
    expect(service.asked).toEqual({ input: [task], encoding_format: 'float' })
  })

  test.each(troubles)('a service that fails (%s) leaves the order to the words', async (mode) => {
    await untilMeaningCounts()
    change({ mode })
    const task = newTask()
    expect(await resolveOn(server, task)).toEqual(await resolveOn(plain, task))
    expect(timesSent(task)).toBe(1)
  })

  test('a service that does not listen or returns vectors of another size leaves the order to the words', async () => {
    await untilMeaningCounts()
    change({ dimension: 6 })
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
    change({ dimension: 6 })
    await resolveOn(server, newTask())
    await resolveOn(server, task)
    await resolveOn(server, task)
    expect(timesSent(task)).toBe(2)
  })

  test('a vector that comes too late leaves the order to the words', async () => {
    await untilMeaningCounts()
    const hasty = await serverForTest({
      database: server.database,
      env: { ...env, EMBEDDINGS_TIMEOUT_MS: '20' },
    })
    change({ mode: 'silent' })
    const task = newTask()
    expect(await resolveOn(hasty, task)).toEqual(await resolveOn(plain, task))
    const metrics = await (await hasty.http('/metrics')).text()
    expect(metrics).toMatch(/^skillpass_resolve_meaning_total\{outcome="late"\} 1$/m)
  })

  test('a service that keeps failing gets no task for a while, then one, and every task once it works', async () => {
    await untilMeaningCounts()
    change({ mode: '500' })
    for (let i = 0; i < 3; i++) await firstOf()
    const asked = tasksSent()
    for (let i = 0; i < 5; i++) expect(await firstOf()).toBe(words.id)
    expect(tasksSent()).toBe(asked)
    server.clock.advance(10_000)
    for (let i = 0; i < 5; i++) expect(await firstOf()).toBe(words.id)
    expect(tasksSent()).toBe(asked + 1)
    service.mode = 'good'
    server.clock.advance(20_000)
    for (let i = 0; i < 5; i++) expect(await firstOf()).toBe(meaning.id)
  })

  test('a weight of 0 keeps the order and sends no task', async () => {
    const weightless = await serverForTest({
      database: server.database,
      env: { ...env, EMBEDDINGS_WEIGHT: '0' },
    })
    const task = newTask()
    expect(await resolveOn(weightless, task)).toEqual(await resolveOn(plain, task))
    expect(service.texts).not.toContain(task)
  })

  test('the metrics count the outcomes', async () => {
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

test('vectors are matched by index, and no vector of an unusable answer is taken', async () => {
  const service = await startEmbeddingService()
  const request = () =>
    requestEmbeddings(
      { url: service.url, model: undefined, apiKey: undefined },
      ['about a car', 'about a recipe'],
      AbortSignal.timeout(10_000),
    )
  const { vectors } = await request()
  expect(vectors.map((vector) => vector.indexOf(127))).toEqual([0, 2])
  service.mode = 'sizes that differ'
  await expect(request()).rejects.toThrow('one vector of one size')
  for (const mode of troubles) {
    service.mode = mode
    await expect(request(), mode).rejects.toThrow(mode === 'endless' ? 'too long' : /./)
  }
})

test('no log contains a task or the API key, whatever the service answers', async () => {
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
