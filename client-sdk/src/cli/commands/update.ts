import type { Wire } from '../../transport.ts'
import { command, json, plain, type Terminal } from '../command.ts'
import { messageOf } from '../errors.ts'
import { install, openProject, type Wanted } from '../install/installer.ts'
import type { Lock, LockEntry } from '../install/lock.ts'
import { locate, manifestOf } from '../install/source.ts'
import { flag } from './arguments.ts'
import { acceptVerdict, sayInstalled } from './shown.ts'

export const update = command({
  summary: 'Install the current versions of the skills of this project.',
  usage: `[NAME…] [options]

  --dry-run        say what would be installed, and change nothing
  --force          replace files that you have changed
  --allow-warnings install versions that the lint warns of, without asking
  --json           what was installed as JSON`,
  options: { 'dry-run': flag, force: flag, 'allow-warnings': flag, json: flag },
  arguments: [0, 100],
  async act({ values, args, client, terminal }) {
    const into = await openProject(client, terminal)
    const { lock, wire } = into
    const isTrial = values['dry-run']
    const isAllowed = values['allow-warnings'] || isTrial
    const wanted: Wanted[] = []
    const troubles: string[] = []
    for (const [name, entry] of chosen(lock, args)) {
      try {
        const newer = await newerOf(entry, wire, terminal, isAllowed)
        if (newer) wanted.push({ name, ...newer })
      } catch (error) {
        troubles.push(plain(messageOf(error)))
      }
    }
    if (!isTrial) {
      sayInstalled(terminal, await install(into, wanted, { force: values.force }), values.json)
    } else if (values.json) terminal.print(json(wanted.map((skill) => trialOf(skill, lock))))
    else for (const skill of wanted) terminal.print(trialLine(skill, lock))
    if (wanted.length + troubles.length === 0 && !values.json) {
      terminal.print('Everything is up to date.\n')
    }
    if (troubles.length > 0) throw new Error(troubles.join('\n  '))
  },
})

/** The skills of these names, or all. */
function chosen(lock: Lock, names: readonly string[]): [string, LockEntry][] {
  if (names.length === 0) return [...lock]
  return [...new Set(names)].map((name) => [name, entryOf(lock, name)])
}

/** A skill of the lock. Throws where there is none of this name. */
export function entryOf(lock: Lock, name: string): LockEntry {
  const entry = lock.get(name)
  if (entry) return entry
  throw new Error(`skillpass.lock names no "${plain(name)}"; "skillpass list" tells what it names.`)
}

/** The current version of a skill where it is newer. A registry that goes back is not followed unasked. */
async function newerOf(entry: LockEntry, wire: Wire, terminal: Terminal, isAllowed: boolean) {
  const { address, registry, folders, locked } = entry
  const located = await locate({ address, registry }, wire)
  const before = locked?.version ?? 0
  if (located.version === before) return undefined
  if (located.version < before) {
    throw new Error(
      `${plain(address)} has version ${located.version} now, older than the ${before} of the lock; ` +
        `"skillpass add ${plain(address)}" takes it.`,
    )
  }
  await acceptVerdict(terminal, located, isAllowed)
  const manifest = await manifestOf(located, wire)
  return { address: located.address, registry, folders, locked: manifest }
}

const trialOf = ({ name, address, locked }: Wanted, lock: Lock) => ({
  name,
  address,
  version: lock.get(name)?.locked?.version ?? null,
  current: locked.version,
  digest: locked.digest,
})

function trialLine(skill: Wanted, lock: Lock): string {
  const { name, address, version, current } = trialOf(skill, lock)
  return `Would update ${name} (${plain(address)}) from version ${version ?? 'none'} to ${current}\n`
}
