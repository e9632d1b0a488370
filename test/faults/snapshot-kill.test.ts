import { watch } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@skillpass/client'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/databases.ts'
import { readMetrics, startProcess } from '../support/processes.ts'
import { isLong, roundsOf } from '../support/rounds.ts'

const database = await createTestDatabase('sqlite')
afterAll(database.remove)
const folder = await temporaryFolder()
/** Kills, each followed by a start that checks. */
const rounds = roundsOf(2)

const start = () =>
  startProcess({
    databaseUrl: database.url,
    env: { SNAPSHOT_DIR: folder },
  })

/** What was acknowledged: every skill by its name; undefined once it was deleted. */
type Known = Map<string, string | undefined>

/** Publishes and deletes until the server dies. */
async function change(client: Client, known: Known, round: number) {
  const { skills } = client.registry
  for (let i = 0; ; i++) {
    const name = `skill${round}x${i}`
    try {
      const { data } = await skills.publish({ body: { name, slug: name, readme: `# ${name}` } })
      known.set(name, data.id)
      if (i % 3 !== 2) continue
      known.delete(name)
      await skills.delete({ params: { id: data.id } })
      known.set(name, undefined)
    } catch {
      return
    }
  }
}

/** Resolves once so many files of the folder were made, written or renamed. */
function untilEvents(count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count
    const watcher = watch(folder, () => {
      if (--left > 0) return
      watcher.close()
      resolve()
    })
  })
}

async function check(client: Client, known: Known) {
  for (const [name, id] of known) {
    const { data } = await client.registry.skills.search({ query: { q: name, limit: 1 } })
    expect(`${name} ${data[0]?.name === name ? data[0].id : undefined}`).toBe(`${name} ${id}`)
  }
}

test('a process killed while it writes a snapshot leaves a catalogue that holds every acknowledged skill', async () => {
  const known: Known = new Map()
  const from: string[] = []
  let apiKey: string | undefined
  const restored = () => from.filter((word) => word === 'snapshot').length
  // How many file events one snapshot causes depends on the machine, so a long run goes on until
  // some starts found a complete one.
  for (let round = 0; round < rounds || (isLong && restored() < 4); round++) {
    const server = await start()
    const anyone = createClient({ timeoutMs: 0, baseUrl: server.url, retries: 0 })
    apiKey ??= (await anyone.registry.agents.register({ body: { username: 'author' } })).data.apiKey
    const client = createClient({ timeoutMs: 0, baseUrl: server.url, apiKey, retries: 0 })
    await check(client, known)
    from.push(/catalogue_load_seconds\{from="(\w+)"/.exec(await readMetrics(server.url))?.[1] ?? '')
    const before = known.size
    const changing = change(client, known, round)
    while (known.size < before + 20) await pause(10)
    const events = untilEvents(1 + round * 5)
    // A server that stops writes a snapshot.
    await Promise.race([events, server.end('SIGTERM')])
    await server.end('SIGKILL')
    await changing
  }
  expect(known.size).toBeGreaterThan(0)
  expect(from[0]).toBe('database')
})
