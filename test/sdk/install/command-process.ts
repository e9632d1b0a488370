import { spawn } from 'node:child_process'
import { expect } from 'vitest'
import { clientCommand } from '../../support/processes.ts'
import type { Project } from './project.ts'
import type { MadeVersion } from './registry.ts'

/** Where the skill of the registry is installed. */
export const skill = '.agents/skills/forms'

const fileCount = 100

/** A version of many files, each of which holds its number. */
export const largeVersion = (number: number): MadeVersion => ({
  files: [
    { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' },
    ...Array.from({ length: fileCount }, (_, at) => ({ path: `f/${at}`, text: `${number} ${at}` })),
  ],
})

/** Starts the command in a process; `ended` gives its exit code, null after a kill. */
export function startCommand({ cwd, cache }: Project, url: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, SKILLPASS_URL: url, SKILLPASS_CACHE: cache }
  const options = { cwd, env, stdio: 'ignore' } as const
  const child = spawn(process.execPath, [clientCommand, ...args], options)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended }
}

/** The number of the installed version, all of whose files must be there, or `none`. */
export async function versionThere({ tree, read }: Project): Promise<number | 'none'> {
  const files = await tree(skill).catch(() => [])
  if (files.length === 0) return 'none'
  expect(files).toHaveLength(fileCount + 1)
  const paths = Array.from({ length: fileCount }, (_, at) => `${skill}/f/${at}`)
  const texts = await Promise.all(paths.map((path) => read(path)))
  const numbers = new Set(texts.map((text) => Number(text.split(' ')[0])))
  expect(numbers.size).toBe(1)
  return [...numbers][0] ?? 'none'
}
