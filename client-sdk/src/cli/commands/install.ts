import { command } from '../command.ts'
import { registryCheck } from '../install/check.ts'
import { defaultFolders } from '../install/folders.ts'
import { install as installAll, openProject, type Wanted } from '../install/installer.ts'
import type { LockEntry } from '../install/lock.ts'
import { locate, manifestOf } from '../install/source.ts'
import { allowWarnings, allowWithdrawn, flag } from './arguments.ts'
import { confirmVerdict, printInstalled } from './output.ts'

export const install = command({
  summary: 'Install the skills in skillpass.lock.',
  usage: '',
  details: `Installs all skills or none. It fails if a version was withdrawn for security, if a registry has changed its files, or if local changes would be lost. If a registry cannot be reached, it installs from the cache.`,
  options: {
    frozen: flag('fail if an entry of skillpass.lock has no version'),
    offline: flag('install from the cache without contacting a registry'),
    force: flag('overwrite local changes'),
    'allow-warnings': allowWarnings,
    'allow-withdrawn': allowWithdrawn,
  },
  arguments: [0, 0],
  async act({ values, client, terminal }) {
    const { frozen, offline, force } = values
    const into = await openProject(client, terminal)
    const { project, lock, transport } = into
    const allowsWithdrawn = values['allow-withdrawn']
    const check = registryCheck(transport, allowsWithdrawn)
    const wanted: Wanted[] = []
    const problems: string[] = []
    for (const [name, entry] of lock) {
      const { locked } = entry
      if (!locked) {
        if (!frozen && !offline) wanted.push({ name, ...(await completed(entry)) })
        else problems.push(`skillpass.lock has no version of ${name}`)
        continue
      }
      const {
        address = entry.address,
        problem,
        advice = [],
      } = offline ? {} : await check(entry, locked)
      for (const sentence of advice) terminal.warn(`${sentence}\n`)
      const from = { downloadFrom: address, allowWithdrawn: allowsWithdrawn }
      wanted.push({ name, ...entry, locked, ...from })
      if (problem?.kind === 'unreachable') {
        terminal.warn(`${problem.lines.join('\n')} Using the cache.\n`)
      } else problems.push(...(problem?.lines ?? []))
    }
    if (problems.length > 0) throw new Error(`Nothing was installed:\n  ${problems.join('\n  ')}`)
    const done = await installAll(into, wanted, { force, offline })
    if (lock.size > 0 || values.json) return printInstalled(terminal, done, values.json)
    terminal.print('skillpass.lock has no skills.\n')

    /** Adds the current version to an entry that has only an address. */
    async function completed(entry: LockEntry) {
      const located = await locate(entry, transport)
      await confirmVerdict(terminal, located, values['allow-warnings'])
      const { address, registry } = located
      const { at } = entry
      const folders = entry.folders.length > 0 ? entry.folders : await defaultFolders(project)
      return { address, registry, at, folders, locked: await manifestOf(located, transport) }
    }
  },
})
