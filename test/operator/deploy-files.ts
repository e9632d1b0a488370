import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { root } from '../support/processes.ts'

/** A file of `server/deploy/`. */
export const deployFile = (name: string): Promise<string> =>
  readFile(`${root}/server/deploy/${name}`, 'utf8')

/** Whether a program can be started here. */
export const hasProgram = (name: string, ...args: string[]): boolean =>
  spawnSync(name, args, { stdio: 'ignore' }).status === 0
