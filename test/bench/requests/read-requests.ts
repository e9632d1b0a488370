import { readTasks } from '../../support/corpus.ts'
import { closedLoop } from '../closed-loop.ts'
import type { LoadRequest, LoadResult } from '../load.ts'

/** Different requests of each kind, so that no answer is simply the last one again. */
const variety = 400

/** What a bench asks for. */
export interface Asked {
  readonly paths: readonly string[]
  /** Asks for what a path does in a way that nobody has asked before. */
  readonly anew?: (path: string) => string
}

let times = 0

export const requestsOf = ({ paths, anew }: Asked): LoadRequest[] =>
  paths.map((path) => ({ path, ...(anew && { anew: () => anew(path) }) }))

/** All tasks; no two thresholds are the same, and answers depend on them. */
export const newTasks = (): Asked => ({
  paths: resolvePaths(),
  anew: (path) => `${path}&threshold=${(0.3 + ++times * 1e-9).toFixed(9)}`,
})

/** Resolves the tasks in turn, each as if it was new. */
export function resolveNew(
  url: string,
  load: { connections: number; seconds: number },
): Promise<LoadResult> {
  const { paths, anew = (path: string) => path } = newTasks()
  let next = 0
  return closedLoop(load, async (ask) => {
    const { status, text } = await ask(url + anew(paths[next++ % paths.length] ?? ''))
    if (status !== 200) throw new Error(`resolve answered ${status}: ${text}`)
    return true
  })
}

const resolvePaths = (): string[] =>
  readTasks().map(({ task }) => `/api/v1/skills/resolve?${new URLSearchParams({ task })}`)

/** The first words of all tasks; the signs after them say nothing. */
const newSearches = (): Asked => ({
  paths: searchPaths(),
  anew: (path) => path + (++times).toString(4).replace(/\d/g, (digit) => '.,!~'.charAt(+digit)),
})

const searchPaths = (): string[] =>
  readTasks()
    .map(({ task }) => task.split(/\s+/).slice(0, 3).join(' ').slice(0, 180))
    .map((q) => `/api/v1/skills/search?${new URLSearchParams({ limit: '20', q })}`)

/** Searches and resolves that the server does not remember, and some that it soon does. */
export const tasksAsked = (): Record<string, Asked> => ({
  search: newSearches(),
  'search again': { paths: searchPaths().slice(0, variety) },
  resolve: newTasks(),
  'resolve again': { paths: resolvePaths().slice(0, variety) },
})

/** Paths of single skills of a running server: their markdown, and what is known of them. */
export async function skillPaths(url: string): Promise<Record<string, Asked>> {
  const skills: { id: string; fetchUrl: string }[] = []
  for (let page = 1; skills.length < variety; page++) {
    const answer = await fetch(`${url}/api/v1/skills/search?limit=50&page=${page}`)
    skills.push(...((await answer.json()) as { data: typeof skills }).data)
  }
  return {
    fetch: {
      paths: skills.map(({ fetchUrl }) => new URL(fetchUrl)).map((at) => at.pathname + at.search),
    },
    'by id': { paths: skills.map(({ id }) => `/api/v1/skills/${id}`) },
  }
}
