import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder, writeFiles } from '../../support/cleanup.ts'
import { runSkillpass } from '../../support/commands.ts'

/** Creates a project with its own cache. Its commands run against the given registry. */
export async function makeProject(registry: string) {
  const root = await temporaryFolder()
  const cwd = join(root, 'project')
  const cache = join(root, 'cache')
  await mkdir(cwd)
  const env = { SKILLPASS_URL: registry, SKILLPASS_CACHE: cache }
  const run = (...args: string[]) => runSkillpass(args, { env, cwd })
  const path = (...names: string[]) => join(cwd, ...names)
  return {
    root,
    cwd,
    env,
    cache,
    path,
    run,
    /** Runs a command that must succeed. Returns its output. */
    async succeed(...args: string[]) {
      const { code, out, err } = await run(...args)
      expect({ code, err }).toMatchObject({ code: 0 })
      return out
    },
    /** Runs a command that must fail. Returns its message. */
    async fail(...args: string[]) {
      const { code, err } = await run(...args)
      expect({ code, err }).toMatchObject({ code: 1 })
      return err
    },
    read: (name: string) => readFile(path(name), 'utf8'),
    write: (name: string, text: string) => writeFiles(cwd, { [name]: text }),
    /** Lists a folder of the project as `treeOf` does. */
    tree: (name = '.') => treeOf(path(name)),
    lock: async () => JSON.parse(await readFile(path('skillpass.lock'), 'utf8')),
  }
}

export type Project = Awaited<ReturnType<typeof makeProject>>

/** Lists the contents of a folder: `0644 a/b`, `link c`, `empty d/`. */
export async function treeOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    const relativePath = path.slice(folder.length + 1)
    if (entry.isSymbolicLink()) return [`link ${relativePath}`]
    if (!entry.isDirectory())
      return [`0${((await stat(path)).mode & 0o777).toString(8)} ${relativePath}`]
    return (await readdir(path)).length === 0 ? [`empty ${relativePath}/`] : []
  })
  return (await Promise.all(lines)).flat().sort()
}
