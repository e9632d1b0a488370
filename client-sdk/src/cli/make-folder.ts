import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './errors.ts'

/**
 * Creates a folder and its parents. The `recursive` option of Node.js never returns if a parent
 * exists but cannot contain folders, as in `/proc`.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const above = dirname(path)
  const isRoot = above === path || (await stat(above).catch(() => undefined))?.isDirectory()
  if (!isRoot) await makeFolder(above, mode)
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    if (!hasCode(error, 'EEXIST') || !(await stat(path)).isDirectory()) throw error
  })
}
