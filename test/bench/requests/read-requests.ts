import { readTasks } from '../../support/corpus.ts'
import { closedLoop } from '../closed-loop.ts'
import type { LoadRequest, LoadResult } from '../load.ts'

/** Number of different requests of each kind. */
const variety = 400

/** Requests of a benchmark. */
export interface RequestPaths {
  readonly paths: readonly string[]
  /** Varies a path, so that the response is not cached. */
  readonly vary?: (path: string) => string
}

let variations = 0

export const requestsOf = ({ paths, vary }: RequestPaths): LoadRequest[] =>
  paths.map((path) => ({ path, ...(vary && { createPath: () => vary(path) }) }))

/** All tasks. The threshold varies, which is part of the cache key. */
export const newTasks = (): RequestPaths => ({
  paths: resolvePaths(),
  vary: (path) => `${path}&threshold=${(0.3 + ++variations * 1e-9).toFixed(9)}`,
})

/** Resolves the tasks in turn, without cached responses. */
export function resolveNew(
  url: string,
  load: { connections: number; seconds: number },
): Promise<LoadResult> {
  const { paths, vary = (path: string) => path } = newTasks()
  let next = 0
  return closedLoop(load, async (send) => {
    const { status, text } = await send(url + vary(paths[next++ % paths.length] ?? ''))
    if (status !== 200) throw new Error(`resolve returned ${status}: ${text}`)
    return true
  })
}

const resolvePaths = (): string[] =>
  readTasks().map(({ task }) => `/api/v1/skills/resolve?${new URLSearchParams({ task })}`)

/** The first words of all tasks. Trailing punctuation varies, which does not change the results. */
const newSearches = (): RequestPaths => ({
  paths: searchPaths(),
  vary: (path) =>
    path + (++variations).toString(4).replace(/\d/g, (digit) => '.,!~'.charAt(+digit)),
})

const searchPaths = (): string[] =>
  readTasks()
    .map(({ task }) => task.split(/\s+/).slice(0, 3).join(' ').slice(0, 180))
    .map((q) => `/api/v1/skills/search?${new URLSearchParams({ limit: '20', q })}`)

/** Searches and resolves, without and with cached responses. */
export const taskRequests = (): Record<string, RequestPaths> => ({
  search: newSearches(),
  'search again': { paths: searchPaths().slice(0, variety) },
  resolve: newTasks(),
  'resolve again': { paths: resolvePaths().slice(0, variety) },
})

/** Returns paths of skills on a running server: their markdown, and their details by id. */
export async function skillPaths(url: string): Promise<Record<string, RequestPaths>> {
  const skills: { id: string; fetchUrl: string }[] = []
  for (let page = 1; skills.length < variety; page++) {
    const response = await fetch(`${url}/api/v1/skills/search?limit=50&page=${page}`)
    const { data } = (await response.json()) as { data: typeof skills }
    if (data.length === 0) break
    skills.push(...data)
  }
  return {
    fetch: {
      paths: skills.map(({ fetchUrl }) => new URL(fetchUrl)).map((at) => at.pathname + at.search),
    },
    'by id': { paths: skills.map(({ id }) => `/api/v1/skills/${id}`) },
  }
}
