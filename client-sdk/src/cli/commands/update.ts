import { command, json, printable, type Terminal } from '../command.ts'
import { messageOf } from '../errors.ts'
import type { KeyedTransport } from '../install/bounded-get.ts'
import { install, openProject, type Wanted } from '../install/installer.ts'
import type { Lock, LockEntry } from '../install/lock.ts'
import { locate, manifestOf } from '../install/source.ts'
import { allowWarnings, flag, lockedSkill } from './arguments.ts'
import { confirmVerdict, printInstalled } from './output.ts'

export const update = command({
  summary: 'Update skills of this project to their current versions.',
  usage: '[NAME|OWNER/REPO/SKILL[@VERSION]…]',
  details:
    'Stays within the range or dist-tag that "skillpass add" was given. With @VERSION, updates to that version if it is newer than the installed one. A withdrawn version is replaced by the current one.',
  options: {
    'dry-run': flag('list the updates without installing them'),
    force: flag('overwrite local changes'),
    'allow-warnings': allowWarnings,
  },
  arguments: [0, 100],
  async act({ values, args, client, terminal }) {
    const into = await openProject(client, terminal)
    const { lock, transport } = into
    const isDryRun = values['dry-run']
    const isAllowed = values['allow-warnings'] || isDryRun
    const wanted: Wanted[] = []
    const problems: string[] = []
    const selected =
      args.length === 0
        ? Array.from(lock, ([name, entry]) => ({ name, entry, version: undefined, at: undefined }))
        : args.map((skill) => lockedSkill(lock, skill))
    for (const { name, entry, version, at = entry.at } of selected) {
      try {
        const newer = await newerVersion({ ...entry, version, at }, transport, terminal, isAllowed)
        if (newer) wanted.push({ name, ...newer })
      } catch (error) {
        problems.push(printable(messageOf(error)))
      }
    }
    if (!isDryRun) {
      printInstalled(terminal, await install(into, wanted, { force: values.force }), values.json)
    } else if (values.json) terminal.print(json(wanted.map((skill) => plannedUpdate(skill, lock))))
    else for (const skill of wanted) terminal.print(plannedUpdateLine(skill, lock))
    if (wanted.length + problems.length === 0 && !values.json) {
      terminal.print('Everything is up to date.\n')
    }
    if (problems.length > 0) throw new Error(problems.join('\n  '))
  },
})

/**
 * Returns the named or current version if it is newer. Throws if it is older than the installed
 * version.
 */
async function newerVersion(
  entry: LockEntry & { readonly version: number | undefined },
  transport: KeyedTransport,
  terminal: Terminal,
  isAllowed: boolean,
) {
  const { address, registry, folders, locked, version, at } = entry
  const located = await locate({ address, registry, version, at }, transport)
  for (const sentence of located.advice) terminal.warn(`${sentence}\n`)
  const before = locked?.version ?? 0
  if (located.version === before) return undefined
  if (located.version < before && !(await isWithdrawn(entry, transport))) {
    throw new Error(
      `Version ${located.version} of ${printable(address)} is older than version ${before} in skillpass.lock. ` +
        `To install it, run "skillpass add ${printable(address)}@${located.version}".`,
    )
  }
  await confirmVerdict(terminal, located, isAllowed)
  const manifest = await manifestOf(located, transport)
  return { address: located.address, registry, at, folders, locked: manifest }
}

/** Returns whether the installed version is withdrawn, so that an earlier one replaces it. */
const isWithdrawn = ({ address, registry, locked }: LockEntry, transport: KeyedTransport) =>
  locate({ address, registry, version: locked?.version, allowWithdrawn: true }, transport).then(
    (located) => located.isWithdrawn,
    () => false,
  )

const plannedUpdate = ({ name, address, locked }: Wanted, lock: Lock) => ({
  name,
  address,
  version: lock.get(name)?.locked?.version ?? null,
  current: locked.version,
  digest: locked.digest,
})

function plannedUpdateLine(skill: Wanted, lock: Lock): string {
  const { name, address, version, current } = plannedUpdate(skill, lock)
  return `Would update ${name} (${printable(address)}) from version ${version ?? 'none'} to ${current}\n`
}
