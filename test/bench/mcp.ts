import { makeFolder } from '../support/cleanup.ts'
import { readTasks, skillsFile } from '../support/corpus.ts'
import { closedLoop } from './closed-loop.ts'
import { type LoadResult, median } from './load.ts'
import { besideServers, databaseIn, pinning, runOperator, startBenchServer } from './processes.ts'
import { resolveNew } from './requests/read-requests.ts'
import { printTable } from './table.ts'

const connections = 16
const rounds = 5
const load = { connections, seconds: 4 }

/**
 * Resolves tasks over MCP, in both eras of the protocol, and over plain HTTP, on the corpus and
 * one server. Prints the ratio of their throughput.
 */
export async function benchMcp(): Promise<void> {
  const { path: folder, remove } = await makeFolder()
  try {
    await runOperator(databaseIn(folder), 'import', skillsFile)
    const runs = await besideServers(async () => {
      const server = await startBenchServer(folder)
      try {
        return await measure(server.url)
      } finally {
        await server.stop()
      }
    })
    const medianOf = (of: (run: Run) => number) => median(runs.map(of))
    printTable(
      `Resolve on the corpus, not cached (${connections} connections, the server ${pinning})`,
      ['protocol', 'per second', 'ratio to HTTP', 'p50 ms', 'p99 ms'],
      (['http', '2026-07-28', '2025-11-25'] as const).map((name) => [
        name,
        medianOf((run) => run[name].perSecond),
        medianOf((run) => run[name].perSecond / run.http.perSecond),
        medianOf((run) => run[name].p50),
        medianOf((run) => run[name].p99),
      ]),
    )
  } finally {
    await remove()
  }
}

type Run = Record<'http' | '2026-07-28' | '2025-11-25', LoadResult>

/** Measures the three alternately, each with thousands of calls. */
async function measure(url: string): Promise<Run[]> {
  const runs: Run[] = []
  // The first round warms up the JIT compiler.
  for (let round = 0; round <= rounds; round++) {
    runs.push({
      http: await resolveNew(url, load),
      '2026-07-28': await resolveOverMcp(url, '2026-07-28'),
      '2025-11-25': await resolveOverMcp(url, '2025-11-25'),
    })
  }
  return runs.slice(1)
}

const tasks = readTasks()
let calls = 0

function resolveOverMcp(url: string, version: '2026-07-28' | '2025-11-25'): Promise<LoadResult> {
  const isNew = version === '2026-07-28'
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    ...(isNew && { 'mcp-method': 'tools/call', 'mcp-name': 'resolve_skills' }),
  }
  const about = isNew && {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
  return closedLoop(load, async (send) => {
    const id = ++calls
    // The threshold varies, which is part of the cache key.
    const { task } = tasks[id % tasks.length] ?? { task: '' }
    const params = {
      name: 'resolve_skills',
      arguments: { task, threshold: 0.2 + id * 1e-9 },
      ...about,
    }
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params }
    const response = await send(`${url}/mcp`, { method: 'POST', headers }, JSON.stringify(message))
    if (!response.text.includes('"structuredContent"')) {
      throw new Error(`resolve_skills returned ${response.status}: ${response.text}`)
    }
    return true
  })
}
