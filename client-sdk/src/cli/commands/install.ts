import { command } from '../command.ts'
import { registryCheck } from '../install/check.ts'
import { defaultFolders } from '../install/folders.ts'
import { install as installAll, openProject, type Wanted } from '../install/installer.ts'
import type { LockEntry } from '../install/lock.ts'
import { locate, manifestOf } from '../install/source.ts'
import { flag } from './arguments.ts'
import { acceptVerdict, sayInstalled } from './shown.ts'

export const install = command({
  summary: 'Install what skillpass.lock names.',
  usage: `[options]

  --frozen         exactly what it names: an entry without a version is an error
  --offline        ask no registry; every file must be in the cache
  --force          replace files that you have changed
  --allow-warnings complete entries whose current version the lint warns of, without asking
  --json           what was installed as JSON`,
  details: `All skills are installed, or none: none where a registry has withdrawn a version or hands out
other files for it, and where files that you have changed would be lost. Where a registry does not
answer, files are taken from the cache.`,
  options: { frozen: flag, offline: flag, force: flag, 'allow-warnings': flag, json: flag },
  arguments: [0, 0],
  async act({ values, client, terminal }) {
    const { frozen, offline, force } = values
    const into = await openProject(client, terminal)
    const { project, lock, wire } = into
    const check = registryCheck(wire)
    const wanted: Wanted[] = []
    const troubles: string[] = []
    for (const [name, entry] of lock) {
      const { locked } = entry
      if (!locked) {
        if (!frozen && !offline) wanted.push({ name, ...(await completed(entry)) })
        else troubles.push(`skillpass.lock names no version of ${name}`)
        continue
      }
      const { address = entry.address, objection } = offline ? {} : await check(entry, locked)
      wanted.push({ name, ...entry, locked, downloadFrom: address })
      if (objection?.kind === 'unreachable') {
        terminal.warn(`${objection.lines.join('\n')} The cache serves.\n`)
      } else troubles.push(...(objection?.lines ?? []))
    }
    if (troubles.length > 0) throw new Error(`Nothing was installed:\n  ${troubles.join('\n  ')}`)
    const done = await installAll(into, wanted, { force, offline })
    if (lock.size > 0 || values.json) return sayInstalled(terminal, done, values.json)
    terminal.print('skillpass.lock names no skill.\n')

    /** An entry of an address alone, with its current version. */
    async function completed(entry: LockEntry) {
      const located = await locate(entry, wire)
      await acceptVerdict(terminal, located, values['allow-warnings'])
      const { address, registry } = located
      const folders = entry.folders.length > 0 ? entry.folders : await defaultFolders(project)
      return { address, registry, folders, locked: await manifestOf(located, wire) }
    }
  },
})
