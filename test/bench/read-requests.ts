import { readTasks } from './resolve-data.ts'

/** Different requests of each kind, so that no answer is simply the last one again. */
const variety = 400

/**
 * Fewer tasks than a server remembers, and more: all there are. Sent in turn, the former are known
 * from the second time on, the latter never.
 */
const known = variety
export const unknown = Number.POSITIVE_INFINITY

/** Paths that resolve real tasks. */
export const resolvePaths = (count: number): string[] =>
  readTasks()
    .slice(0, count)
    .map(({ task }) => `/api/v1/skills/resolve?${new URLSearchParams({ task })}`)

/** Paths that search for the first words of real tasks. */
const searchPaths = (count: number): string[] =>
  readTasks()
    .slice(0, count)
    .map(({ task }) => task.split(/\s+/).slice(0, 3).join(' ').slice(0, 200))
    .map((q) => `/api/v1/skills/search?${new URLSearchParams({ q })}`)

/** Searches and resolves that the server does not remember, and such that it does. */
export const tasksAsked = (): Record<string, string[]> => ({
  search: searchPaths(unknown),
  'search again': searchPaths(known),
  resolve: resolvePaths(unknown),
  'resolve again': resolvePaths(known),
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
