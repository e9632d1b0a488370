import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../support/cleanup.ts'
import { load } from '../load.ts'
import { startBenchServer, startScript } from '../processes.ts'
import { registerOne, skill } from '../publisher.ts'
import { printTable } from '../table.ts'

const connections = 64

/**
 * Writes acknowledged after a durable commit (SQLite, FULL), from 64 clients, as a ratio to a bare
 * Express 5 handler that parses the same JSON, keeps nothing and answers it.
 */
export async function benchFloor(): Promise<void> {
  const folder = await makeFolder()
  try {
    const file = join(folder.path, 'none.json')
    await writeFile(file, '[]')
    const server = await startBenchServer(folder.path)
    const floor = await startScript('requests/bare-express.js', file)
    const apiKey = await registerOne(server.url, 'publisher')
    const json = { 'content-type': 'application/json' }
    let serial = 0
    const writes = {
      register: {
        path: '/api/v1/agents/register',
        headers: json,
        body: () => JSON.stringify({ username: `agent-${++serial}` }),
      },
      publish: {
        path: '/api/v1/skills',
        headers: { ...json, authorization: `Bearer ${apiKey}` },
        body: () => JSON.stringify(skill(++serial)),
      },
    }
    const rows = []
    for (const [name, write] of Object.entries(writes)) {
      const requests = [{ ...write, method: 'POST' as const }]
      await load(server.url, requests, { connections, seconds: 2 })
      await load(floor.url, requests, { connections, seconds: 2 })
      const ours = await load(server.url, requests, { connections })
      const bare = await load(floor.url, requests, { connections })
      const ratio = ours.perSecond / bare.perSecond
      rows.push([name, ours.perSecond, bare.perSecond, ratio, ours.p50, ours.p99, ours.failed])
    }
    await floor.stop()
    await server.stop()
    printTable(
      `Writes acknowledged after FULL commit, a second (${connections} clients)`,
      ['write', 'skillpass', 'bare express', 'ratio', 'p50 ms', 'p99 ms', 'failed'],
      rows,
    )
  } finally {
    await folder.remove()
  }
}
