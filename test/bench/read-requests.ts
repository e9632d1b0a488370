import { readTasks } from './resolve-data.ts'

/** Different requests of each kind, so that no answer is simply the last one again. */
const variety = 400

/** Paths that resolve real tasks. */
export const resolvePaths = (count = variety): string[] =>
  readTasks()
    .slice(0, count)
    .map(({ task }) => `/api/v1/skills/resolve?${new URLSearchParams({ task })}`)

/** Paths that search for the first words of real tasks. */
export const searchPaths = (): string[] =>
  readTasks()
    .slice(0, variety)
    .map(({ task }) => task.split(/\s+/).slice(0, 3).join(' ').slice(0, 200))
    .map((q) => `/api/v1/skills/search?${new URLSearchParams({ q })}`)

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
