import { basename } from 'node:path'
import type { Client } from '../../client.ts'
import { command, json, plain, registryOf, UsageError } from '../command.ts'
import { openCache } from '../install/cache.ts'
import { defaultFolders, folderFrom } from '../install/folders.ts'
import {
  type Installation,
  type Installed,
  install,
  projectOf,
  type Wanted,
} from '../install/installer.ts'
import { isSkillName, type LockEntry, readLock } from '../install/lock.ts'
import { npxHash, npxSkills } from '../install/npx-lock.ts'
import { type Asked, locate, manifestOf } from '../install/source.ts'
import { takenOver } from '../install/take-over.ts'
import { shownTarget } from '../install/targets.ts'
import { askedFrom, flag, text } from './arguments.ts'
import { acceptVerdict, counted } from './shown.ts'

export const add = command({
  summary: 'Install a skill, with all its files, in this project.',
  usage: `OWNER/REPO/SKILL[@VERSION] [options]

  --to DIR         folder of this project that gets it, as DIR/SKILL; by default .agents/skills,
                   and .claude/skills where the project has a .claude
  --force          replace what is there, and files that you have changed
  --allow-warnings install a skill that the lint warns of, without asking
  --skills-lock    instead of an address: take over what "npx skills" has installed from this
                   registry, as skills-lock.json names it
  --json           what was installed as JSON`,
  details: `skillpass.lock keeps the version and the digest of every file. Commit it: "skillpass install"
installs the same elsewhere.`,
  options: { to: text, force: flag, 'allow-warnings': flag, 'skills-lock': flag, json: flag },
  arguments: [0, 1],
  async act({ values, args: [address], client, terminal }) {
    const { to, force } = values
    if ((address === undefined) !== values['skills-lock']) {
      throw new UsageError('Give either an address or --skills-lock.')
    }
    const project = await projectOf(terminal)
    const lock = await readLock(project)
    const cache = openCache(terminal)
    const registry = registryOf(terminal)
    const installation: Installation = {
      project,
      lock,
      cache,
      terminal,
      force,
      isTakenOver: (folder) => isUnchangedNpx(project, registry, folder),
    }
    if (address === undefined) {
      if (to !== undefined) throw new UsageError('--skills-lock takes no --to.')
      const wanted = await fromNpx(client, installation, registry)
      const done = await install(installation, wanted)
      return terminal.print(values.json ? json(done.map(shownOf)) : done.map(sentenceOf).join(''))
    }
    const folders = to === undefined ? undefined : [folderFrom(project, to)]
    const isAllowed = values['allow-warnings']
    const asked = askedFrom(address, registry)
    const wanted = await wantedOf(installation, asked, folders, isAllowed)
    const [done] = await install(installation, [wanted])
    if (done) terminal.print(values.json ? json(shownOf(done)) : sentenceOf(done))
  },
})

/** The skill of an address as it is to be installed: where it is already, and where it is asked for. */
async function wantedOf(
  { project, lock, terminal }: Installation,
  asked: Asked,
  folders: readonly string[] | undefined,
  isAllowed: boolean,
): Promise<Wanted> {
  const located = await locate(asked, terminal)
  const { address, registry } = located
  const name = address.split('/').at(-1)?.toLowerCase() ?? ''
  if (!isSkillName(name)) throw new Error(`"${plain(name)}" cannot be the name of a folder.`)
  const before = lock.get(name)
  if (before) refuseOther(name, before, address)
  const isThere = before?.locked?.version === located.version
  await acceptVerdict(terminal, located, isAllowed || isThere)
  const there = before?.folders ?? []
  const all = folders ? [...there, ...folders] : there
  const locked = await manifestOf(located, terminal)
  const where = all.length > 0 ? [...new Set(all)] : await defaultFolders(project)
  return { name, address, registry, folders: where, locked }
}

function refuseOther(name: string, before: LockEntry, address: string) {
  if (before.address.toLowerCase() === address.toLowerCase()) return
  throw new Error(
    `${name} is ${plain(before.address)} in this project; "skillpass remove ${name}" first.`,
  )
}

/** What `npx skills` has installed and `skillpass.lock` does not name yet. */
async function fromNpx(client: Client, installation: Installation, registry: string) {
  const { project, lock, terminal } = installation
  const named = await npxSkills(project, registry)
  const wanted: Wanted[] = []
  for (const skill of named) {
    if (lock.has(skill.name)) continue
    wanted.push(await takenOver(client, { project, registry, terminal }, skill))
  }
  if (wanted.length > 0) return wanted
  throw new Error(
    named.length > 0
      ? 'Everything that skills-lock.json names of this registry is in skillpass.lock.'
      : `skills-lock.json names no skill of ${registry}.`,
  )
}

/** Whether a folder is still what `npx skills` installed from the registry. */
async function isUnchangedNpx(project: string, registry: string, folder: string) {
  for (const { name, hash } of await npxSkills(project, registry)) {
    if (basename(folder) === name && (await npxHash(folder)) === hash) return true
  }
  return false
}

/** What programs are told of an installation. */
export const shownOf = ({ wanted, targets, isNew }: Installed) => ({
  name: wanted.name,
  address: wanted.address,
  registry: wanted.registry,
  version: wanted.locked.version,
  digest: wanted.locked.digest,
  folders: targets.map(({ shown }) => shown),
  files: wanted.locked.files.length,
  changed: isNew,
})

/** What people are told of an installation. */
export function sentenceOf({ wanted, isNew }: Installed): string {
  const { name, address, folders, locked } = wanted
  const files = counted(locked.files.length, 'file', 'files')
  const where = folders.map((folder) => shownTarget(folder, name)).join(', ')
  const done = isNew ? 'Installed' : 'Already installed:'
  return `${done} ${plain(address)}, version ${locked.version} (${files}): ${plain(where)}\n`
}
