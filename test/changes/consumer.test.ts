import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { engines } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'
import { until } from '../support/waiting.ts'

const script = fileURLToPath(new URL('./consumer-process.ts', import.meta.url))

/** Published skills by each of four agents, at two servers. */
const each = 40

describe.each(engines)('a consumer of two servers on one %s database', async (engine) => {
  const a = await startTestServer({ engine })
  const b = await startTestServer({ database: a.database, clock: a.clock })
  const agents = await Promise.all([a.agent(), a.agent(), b.agent('at-b'), b.agent('at-b')])

  test('that is killed at random times gets every event once, in one order for all consumers', async () => {
    const file = join(await temporaryFolder(), 'events')
    writeFileSync(file, '')
    const start = () =>
      spawn(process.execPath, ['--import', 'tsx', script, file, a.url, b.url], { stdio: 'inherit' })
    const received = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
    let isPublishing = true
    const publishing = Promise.all(
      agents.map(async (agent) => {
        const ids: string[] = []
        for (let count = 0; count < each; count++) ids.push((await publish(agent)).id)
        return ids
      }),
    ).finally(() => {
      isPublishing = false
    })
    let kills = 0
    for (let known = 0; isPublishing || kills < 3; kills++) {
      const consumer = start()
      const isDone = () => !isPublishing && received().length === each * agents.length
      await until('another event', () => received().length > known || isDone())
      await pause(Math.random() * 50)
      consumer.kill('SIGKILL')
      await once(consumer, 'exit')
      known = received().length
    }
    const published = (await publishing).flat()
    const consumer = start()
    await until('the last event', () => received().length >= published.length)
    consumer.kill('SIGKILL')
    await once(consumer, 'exit')
    const lines = received()
    expect(lines.map((line) => line.split(' ')[1]).sort()).toEqual(published.sort())
    const { data } = await b.client.registry.changes.list({ query: { limit: 500 } })
    expect(lines).toEqual(data.map(({ cursor, id }) => `${cursor} ${id}`))
    expect(kills).toBeGreaterThanOrEqual(3)
  })
})
