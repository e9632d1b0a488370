import { readFileSync } from 'node:fs'

/** What agents do by themselves: thirty tasks of each of ten kinds, none of which a skill serves. */
export const EVERYDAY_TASKS = readTasks('everyday-tasks.txt')

/** Questions that no skill of an agent's catalogue serves; the development tasks have only 34 such. */
export const STRANGE_TASKS = readTasks('strange-tasks.txt')

/** The lines of a file beside this one, without its headings. */
function readTasks(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
}
