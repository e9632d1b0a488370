import { readFileSync } from 'node:fs'

/**
 * What agents do by themselves, written for this: thirty tasks of each of ten kinds, none of which a
 * skill serves. Those at even places fit the confidence, those at odd ones judge it.
 */
export const EVERYDAY_TASKS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  readTasks('everyday-tasks.txt').map((section) => {
    const [heading = '', ...tasks] = section.split('\n')
    return [heading.slice('# '.length), tasks]
  }),
)

/**
 * Questions that no skill of an agent's catalogue serves, written for this: the development tasks
 * have only 34 such.
 */
export const STRANGE_TASKS: readonly string[] = readTasks('strange-tasks.txt').flatMap((section) =>
  section.split('\n'),
)

/** The sections of a file beside this one, parted by empty lines. */
function readTasks(name: string): string[] {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n\n')
}
