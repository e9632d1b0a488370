import { compareWithFloor } from './floor.ts'
import {
  besideServers,
  corpus,
  makeFolder,
  pinning,
  runCommand,
  startBenchServer,
} from './processes.ts'
import { skillPaths, tasksAsked } from './read-requests.ts'
import { printTable } from './table.ts'

/**
 * Reads over HTTP on the real skills, as a ratio to a bare Express 5 handler that answers the same
 * bytes: search, resolve, fetch and by id.
 */
export async function benchReads(): Promise<void> {
  const folder = await makeFolder()
  try {
    await runCommand(folder.path, 'import', corpus)
    await besideServers(() => measure(folder.path))
  } finally {
    await folder.remove()
  }
}

async function measure(folder: string) {
  const server = await startBenchServer(folder)
  const rows: (string | number)[][] = []
  try {
    const kinds = { ...tasksAsked(), ...(await skillPaths(server.url)) }
    for (const [kind, asked] of Object.entries(kinds)) {
      const { ours, floor, ratio, p50, p99 } = await compareWithFloor(server.url, asked, folder)
      rows.push([kind, ours, floor, ratio, p50, p99])
    }
  } finally {
    await server.stop()
  }
  printTable(
    `Reads on the real skills, requests a second (32 connections, each server ${pinning})`,
    ['read', 'skillpass', 'bare express', 'ratio', 'p50 ms', 'p99 ms'],
    rows,
  )
}
