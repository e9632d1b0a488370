import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './errors.ts'

/**
 * Makes a folder and those above it. Node's own `recursive` never ends where a folder is there but takes
 * no others, as in `/proc`.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const above = dirname(path)
  const isRoot = above === path || (await stat(above).catch(() => undefined))?.isDirectory()
  if (!isRoot) await makeFolder(above, mode)
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    if (!hasCode(error, 'EEXIST') || !(await stat(path)).isDirectory()) throw error
  })
}
