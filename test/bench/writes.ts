import { load } from './load.ts'
import { makeFolder, startBenchServer } from './processes.ts'
import { printTable } from './table.ts'

const connections = 64

/** Writes acknowledged after a durable commit (SQLite, FULL), from 64 clients. */
export async function benchWrites(): Promise<void> {
  const folder = await makeFolder()
  try {
    const server = await startBenchServer(folder.path)
    const headers = { 'content-type': 'application/json' }
    let serial = 0
    const register = await load(
      server.url,
      [
        {
          path: '/api/v1/agents/register',
          method: 'POST',
          headers,
          body: () => JSON.stringify({ username: `agent-${++serial}` }),
        },
      ],
      { connections },
    )
    const apiKey = await registerOne(server.url)
    const publish = await load(
      server.url,
      [
        {
          path: '/api/v1/skills',
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${apiKey}` },
          body: () => JSON.stringify(skill(++serial)),
        },
      ],
      { connections },
    )
    await server.stop()
    printTable(
      `Writes acknowledged after FULL commit (${connections} clients)`,
      ['write', 'per second', 'p50 ms', 'p99 ms', 'failed'],
      [
        ['register', register.perSecond, register.p50, register.p99, register.failed],
        ['publish', publish.perSecond, publish.p50, publish.p99, publish.failed],
      ],
    )
  } finally {
    await folder.remove()
  }
}

async function registerOne(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'publisher' }),
  })
  return ((await answer.json()) as { data: { apiKey: string } }).data.apiKey
}

const skill = (serial: number) => ({
  name: `Report writer ${serial}`,
  slug: `report-writer-${serial}`,
  description: 'Writes quarterly reports from a spreadsheet. Use when numbers must become prose.',
  tags: ['reports', 'writing'],
  readme: `# Report writer ${serial}\n\n1. Read the spreadsheet.\n2. Find the three largest changes.\n3. Write one paragraph about each.\n`,
})
