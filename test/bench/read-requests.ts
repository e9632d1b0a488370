import { readTasks } from './resolve-data.ts'

/** Different requests of each kind, so that no answer is simply the last one again. */
const variety = 400

/** The paths that resolve all tasks, and the same once more with another threshold. */
export const allResolvePaths = (): string[] =>
  [0.3, 0.300_000_1].flatMap((threshold) => resolvePaths({ threshold: String(threshold) }))

const resolvePaths = (options: Record<string, string> = {}): string[] =>
  readTasks().map(
    ({ task }) => `/api/v1/skills/resolve?${new URLSearchParams({ task, ...options })}`,
  )

/** Paths that search for the first words of real tasks. */
const searchPaths = (limit: number): string[] =>
  readTasks()
    .map(({ task }) => task.split(/\s+/).slice(0, 3).join(' ').slice(0, 200))
    .map((q) => `/api/v1/skills/search?${new URLSearchParams({ q, limit: String(limit) })}`)

/**
 * Searches and resolves that the server does not remember, for they are more than it does and come in
 * turn, and such that it remembers from the second time on.
 */
export const tasksAsked = (): Record<string, string[]> => ({
  search: [...searchPaths(20), ...searchPaths(19)],
  'search again': searchPaths(20).slice(0, variety),
  resolve: allResolvePaths(),
  'resolve again': resolvePaths().slice(0, variety),
})

/** Paths of single skills of a running server: their markdown, and what is known of them. */
export async function skillPaths(url: string): Promise<{ fetch: string[]; 'by id': string[] }> {
  const skills: { id: string; fetchUrl: string }[] = []
  for (let page = 1; skills.length < variety; page++) {
    const answer = await fetch(`${url}/api/v1/skills/search?limit=50&page=${page}`)
    skills.push(...((await answer.json()) as { data: typeof skills }).data)
  }
  return {
    fetch: skills.map((skill) => new URL(skill.fetchUrl)).map((at) => at.pathname + at.search),
    'by id': skills.map((skill) => `/api/v1/skills/${skill.id}`),
  }
}
