import { readFile } from 'node:fs/promises'
import { root } from '../support/processes.ts'

/** Reads a file of `server/deploy/`. */
export const deployFile = (name: string): Promise<string> =>
  readFile(`${root}/server/deploy/${name}`, 'utf8')
