import { readFileSync } from 'node:fs'

/** Everyday work of agents that no skill serves: thirty tasks of each of ten kinds. */
export const EVERYDAY_TASKS = readTasks('everyday-tasks.txt')

/** Out-of-domain questions. The development tasks have only 34. */
export const OUT_OF_DOMAIN_TASKS = readTasks('out-of-domain-tasks.txt')

/** Reads the lines of a file in this folder, without headings. */
function readTasks(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
}
