import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { contract, listRoutes } from '@skillpass/contract'
import type { RegistryContext } from '@skillpass/server/testing'

/** Folder where test processes store the statuses they saw, for the report. */
const folder = new URL('../../../.cache/route-coverage/', import.meta.url)

/** Records which statuses a server's routes returned, read from its metrics. */
export async function recordCoverage({ metrics }: RegistryContext): Promise<void> {
  const { values } = await metrics.requests.get()
  const lines = values
    .filter(({ metricName = '' }) => metricName.endsWith('_count'))
    .map(({ labels }) => `${labels.method} ${labels.route} ${labels.status}\n`)
  await write(lines)
}

/**
 * Records responses that were sent before a route was reached, such as `GET /path 503`. Route
 * metrics miss them.
 */
export const recordStatuses = (responses: readonly string[]): Promise<void> =>
  write(responses.map((response) => `${response}\n`))

async function write(lines: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await appendFile(new URL(`${process.pid}.txt`, folder), lines.join(''))
}

/**
 * Returns the number of declared responses, and those that no test has produced, such as `GET /path
 * 404`.
 */
export async function reportCoverage(): Promise<{ declared: number; missing: string[] }> {
  const seen = new Set<string>()
  for (const file of await readdir(folder).catch(() => [])) {
    for (const line of (await readFile(new URL(file, folder), 'utf8')).split('\n')) seen.add(line)
  }
  const declared = listRoutes(contract).flatMap(({ method, path, responses }) =>
    Object.keys(responses).map((status) => `${method} ${path} ${status}`),
  )
  return { declared: declared.length, missing: declared.filter((answer) => !seen.has(answer)) }
}

/** Deletes the records of earlier runs. */
export const resetCoverage = (): Promise<void> => rm(folder, { recursive: true, force: true })
