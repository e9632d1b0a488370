import { availableParallelism } from 'node:os'
import { makeFolder } from '../../support/cleanup.ts'
import { skillsFile } from '../../support/corpus.ts'
import { besideServers, type Cores, pinning, runCommand, startBenchServer } from '../processes.ts'
import { printTable } from '../table.ts'
import { compareWithFloor } from './floor.ts'
import { type Asked, skillPaths, tasksAsked } from './read-requests.ts'

/**
 * Reads over HTTP on the real skills, as a ratio to a bare Express 5 handler that answers the same
 * bytes: search, resolve, fetch and by id, on one core; search and resolve on as many as there are.
 */
export async function benchReads(): Promise<void> {
  const folder = await makeFolder()
  try {
    await runCommand(folder.path, 'import', skillsFile)
    await besideServers(async () => {
      const rows = await measure(folder.path, 'one', async (url) => ({
        ...tasksAsked(),
        ...(await skillPaths(url)),
      }))
      print(`each server ${pinning}`, rows)
    })
    const rows = await measure(folder.path, 'any', async () => tasksAsked())
    print(`on ${availableParallelism()} cores, which servers share with what asks them`, rows)
  } finally {
    await folder.remove()
  }
}

async function measure(
  folder: string,
  cores: Cores,
  askedOf: (url: string) => Promise<Record<string, Asked>>,
) {
  const server = await startBenchServer(folder, cores)
  const rows: (string | number)[][] = []
  try {
    for (const [kind, asked] of Object.entries(await askedOf(server.url))) {
      const compared = await compareWithFloor(server.url, asked, folder, cores)
      const { ours, floor, ratio, p50, p99 } = compared
      rows.push([kind, ours, floor, ratio, p50, p99])
    }
  } finally {
    await server.stop()
  }
  return rows
}

const print = (where: string, rows: (string | number)[][]) =>
  printTable(
    `Reads on the real skills, requests a second (32 connections, ${where})`,
    ['read', 'skillpass', 'bare express', 'ratio', 'p50 ms', 'p99 ms'],
    rows,
  )
