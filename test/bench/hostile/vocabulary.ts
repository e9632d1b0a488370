import { rm } from 'node:fs/promises'
import { makeFolder } from '../../support/cleanup.ts'
import { corpusMissing, readSkills } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import { uniqueWords } from '../../support/words.ts'
import { snapshotFolder, startBenchServer } from '../processes.ts'
import { printTable } from '../table.ts'

/** Published at a time: what the attack was first tried with. */
const counts = [150, 580]
const readmeLength = 230_000

interface Figures {
  /** Resident memory after publishing, bytes. */
  published: number
  /** Resident memory after a start from the database, bytes; the times of both starts, ms. */
  started: number
  fromDatabase: number
  fromSnapshot: number
}

/**
 * What skills of unique words cost a server, beside as many bytes of prose. With quotas off, as if
 * many agents published.
 */
export async function benchVocabulary(): Promise<void> {
  const prose = createProse()
  for (const count of counts) {
    const attack = await measure(count, (i) => uniqueWords(i, readmeLength, ' '))
    const honest = await measure(count, () => prose())
    const row = (what: string, pick: (figures: Figures) => number) => [
      what,
      pick(attack),
      pick(honest),
      pick(attack) / pick(honest),
    ]
    printTable(
      `${count} skills of ${readmeLength / 1000} kB`,
      ['what', 'unique words', 'prose', 'ratio'],
      [
        row('memory after publishing, MB', ({ published }) => published / 1e6),
        row('memory after a start from the database, MB', ({ started }) => started / 1e6),
        row('start from the database, s', ({ fromDatabase }) => fromDatabase / 1000),
        row('start from a snapshot, s', ({ fromSnapshot }) => fromSnapshot / 1000),
      ],
    )
  }
}

async function measure(count: number, readmeOf: (i: number) => string): Promise<Figures> {
  const folder = await makeFolder()
  try {
    const first = await startBenchServer(folder.path)
    await publishAll(first.url, count, readmeOf)
    const published = await first.memory()
    await first.stop()
    await rm(snapshotFolder(folder.path), { recursive: true, force: true })
    const second = await startBenchServer(folder.path)
    const started = await second.memory()
    // Leaves a snapshot behind.
    await second.stop()
    const third = await startBenchServer(folder.path)
    await third.stop()
    return { published, started, fromDatabase: second.startMs, fromSnapshot: third.startMs }
  } finally {
    await folder.remove()
  }
}

async function publishAll(url: string, count: number, readmeOf: (i: number) => string) {
  const { apiKey } = await post(url, '/api/v1/agents/register', { username: 'publisher' })
  for (let i = 0; i < count; i++) {
    const body = { name: `Skill ${i}`, slug: `skill-${i}`, readme: readmeOf(i) }
    await post(url, '/api/v1/skills', body, { authorization: `Bearer ${apiKey}` })
  }
}

async function post(url: string, path: string, body: object, more: Record<string, string> = {}) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { data: { apiKey?: string } }).data
}

/** Texts of the length of an attack's: readmes of the real skills in a row, or sentences. */
function createProse(): () => string {
  const random = seededRandom(20)
  const pieces = corpusMissing() === undefined ? readSkills().map(({ readme }) => readme) : made()
  let order: string[] = []
  return () => {
    let text = ''
    while (text.length < readmeLength) {
      if (order.length === 0) order = shuffled(pieces, random)
      text += `${order.pop()}\n\n`
    }
    return Buffer.from(text).subarray(0, readmeLength).toString()
  }

  /** Where the real skills are missing: few words make most of a text, and many the rest (Zipf). */
  function made(): string[] {
    const words = uniqueWords(0, 300_000, ' ').split(' ')
    const word = () => words[Math.floor(words.length ** random()) - 1] ?? words[0]
    const sentence = () => `${Array.from({ length: 12 }, word).join(' ')}.`
    return Array.from({ length: 2000 }, () => Array.from({ length: 60 }, sentence).join('\n'))
  }
}
