import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { addressOf, expectError, publish } from '../support/skills.ts'

const server = await startTestServer({ env: { BASE_URL: 'https://skills.example/base' } })
const { skills } = server.client.registry
const agent = await server.agent('author')
const forms = await publish(agent, {
  slug: 'pdf-forms',
  name: 'PDF form filler',
  description: 'Fills in PDF forms from a spreadsheet. Use when a form must be completed.',
  tags: ['pdf', 'forms'],
  readme: '# PDF form filler\n\nRead the field names of the form, then fill them in.\n',
})
const others = [
  ['git-bisect', 'Find the commit that broke a test with git bisect'],
  ['csv-clean', 'Clean a CSV table: headers, encodings, duplicates'],
  ['pdf-merge', 'Merge and split PDF files'],
  ['docker-logs', 'Read the logs of Docker containers'],
  ['translate', 'Translate interface texts into other languages'],
] as const
for (const [slug, description] of others) await publish(agent, { slug, name: slug, description })

type Query = Parameters<typeof skills.resolve>[0]['query']
const resolve = (query: Query) => skills.resolve({ query })
const task = 'fill in a PDF form from a spreadsheet'

test('resolve ranks the skill that fits the task first', async () => {
  const { data, query } = await resolve({ task, threshold: 0 })
  expect(data[0]?.skill.id).toBe(forms.id)
  expect(query).toBe(task)
  const fetchUrl = `https://skills.example/base${addressOf(forms)}?format=md`
  expect(data[0]).toMatchObject({ fetchUrl, skill: { fetchUrl } })
  expect(data.map((hit) => hit.skill.slug)).toContain('pdf-merge')
})

test('scores descend, relativeScore is relative to the best score, and confidence is between 0 and 1', async () => {
  const { data } = await resolve({ task, threshold: 0 })
  expect(data.length).toBeGreaterThan(1)
  expect(data[0]?.relativeScore).toBe(1)
  const scores = data.map(({ score }) => score)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  for (const { score, relativeScore, confidence } of data) {
    expect(relativeScore).toBeCloseTo(score / (scores[0] ?? 1), 10)
    expect(confidence).toBeGreaterThanOrEqual(0)
    expect(confidence).toBeLessThanOrEqual(1)
  }
})

test('resolve drops skills whose confidence is below the threshold, and counts matches before the limit', async () => {
  const all = await resolve({ task, threshold: 0 })
  expect(all.matched).toBe(all.data.length)
  const confidences = all.data.map(({ confidence }) => confidence)
  expect(confidences).toEqual(confidences.toSorted((a, b) => b - a))
  const threshold = Math.floor(1000 * (confidences[0] ?? 0)) / 1000
  const best = await resolve({ task, threshold })
  expect(best.threshold).toBe(threshold)
  expect(best.matched).toBe(confidences.filter((confidence) => confidence >= threshold).length)
  expect(best.matched).toBeGreaterThan(0)
  expect(best.data.every(({ confidence }) => confidence >= threshold)).toBe(true)
  const limited = await resolve({ task, threshold: 0, limit: 1 })
  expect(limited.data).toHaveLength(1)
  expect(limited.matched).toBe(all.matched)
  expect((await resolve({ task, threshold: 1e-7 })).threshold).toBe(1e-7)
  expect(await resolve({ task, threshold: 1 })).toMatchObject({ data: [], matched: 0 })
  expect((await resolve({ task })).threshold).toBe(0.3)
})

test('resolve weights rare words higher, and explains which word matched in which field', async () => {
  const { data, tokenWeights } = await resolve({ task: 'pdf spreadsheet', threshold: 0 })
  expect(Object.keys(tokenWeights).sort()).toEqual(['pdf', 'spreadsheet'])
  const { pdf = 0, spreadsheet = 0 } = tokenWeights
  expect(pdf).toBeGreaterThan(0)
  expect(spreadsheet).toBeGreaterThan(pdf)
  const tokens = data[0]?.explanation.tokens ?? []
  const matched = Object.fromEntries(tokens.map(({ token, fields }) => [token, fields]))
  expect(matched.pdf).toEqual(expect.arrayContaining(['name', 'tags', 'description', 'readme']))
  expect(matched.spreadsheet).toContain('description')
  expect(matched.spreadsheet).not.toContain('name')
  for (const { token, weight } of tokens) expect(weight).toBe(tokenWeights[token])
})

test('the explanation of a hit contains the share of the task that it covers, and the missing words', async () => {
  const words = 'spreadsheet pdf xylophone quokka'
  const { data, tokenWeights } = await resolve({ task: words, threshold: 0 })
  const { pdf = 0, spreadsheet = 0, xylophone = 0, quokka = 0 } = tokenWeights
  const all = pdf + spreadsheet + xylophone + quokka
  const explanationOf = (slug: string) => data.find(({ skill }) => skill.slug === slug)?.explanation
  expect(explanationOf('pdf-forms')?.coverage).toBeCloseTo((pdf + spreadsheet) / all, 6)
  expect(explanationOf('pdf-forms')?.missing.sort()).toEqual(['quokka', 'xylophone'])
  expect(explanationOf('pdf-merge')?.coverage).toBeCloseTo(pdf / all, 6)
  expect(explanationOf('pdf-merge')?.missing.sort()).toEqual(['quokka', 'spreadsheet', 'xylophone'])
})

test('resolve requires a task, and accepts a limit of 1 to 50 and a threshold of 0 to 1', async () => {
  const response = server.http('/api/v1/skills/resolve')
  const { details } = await expectError(response, 'VALIDATION_ERROR')
  expect(details).toMatchObject([{ in: 'query', path: 'task' }])
  for (const limit of [1, 50]) {
    const { data } = await resolve({ task, limit, threshold: 0 })
    expect(data.length).toBeLessThanOrEqual(limit)
  }
  for (const threshold of [0, 1]) {
    expect((await resolve({ task, threshold })).threshold).toBe(threshold)
  }
  for (const half of ['0.5', '.5', '5e-1', '5.0E-01', '0.05e1']) {
    const path = `/api/v1/skills/resolve?task=x&threshold=${half}`
    expect(await (await server.http(path)).json(), half).toMatchObject({ threshold: 0.5 })
  }
})
