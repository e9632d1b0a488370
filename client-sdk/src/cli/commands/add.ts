import { type Client, calledRegistry } from '../../client.ts'
import { command, json, plain, type Terminal, UsageError } from '../command.ts'
import { openCache } from '../install/cache.ts'
import {
  type InstalledSkill,
  installedOf,
  installSkill,
  isUnchangedNpx,
} from '../install/install-skill.ts'
import { install, projectOf, type Wanted } from '../install/installer.ts'
import { readLock } from '../install/lock.ts'
import { npxSkills } from '../install/npx-lock.ts'
import { takenOver } from '../install/take-over.ts'
import { flag, skillFrom, text } from './arguments.ts'
import { acceptVerdict, counted, warnReplaced } from './shown.ts'

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
    if (address === undefined) {
      if (to !== undefined) throw new UsageError('--skills-lock takes no --to.')
      const done = await takeOver(client, terminal, force)
      return terminal.print(values.json ? json(done) : done.map(sentenceOf).join(''))
    }
    const asked = skillFrom(address, terminal)
    const done = await installSkill(asked.client, asked.params, {
      version: asked.version,
      project: terminal.cwd,
      folder: to,
      force,
      accept: (found) =>
        acceptVerdict(terminal, found, values['allow-warnings'] || found.isInstalled),
      env: terminal.env,
    })
    const { replaced, ...installed } = done
    warnReplaced(terminal, replaced)
    terminal.print(values.json ? json(installed) : sentenceOf(installed))
  },
})

/** Takes over what `npx skills` has installed and `skillpass.lock` does not name yet. */
async function takeOver(client: Client, terminal: Terminal, force: boolean) {
  const { address: registry, wire } = calledRegistry(client)
  const project = await projectOf(terminal)
  const lock = await readLock(project)
  const named = await npxSkills(project, registry)
  const wanted: Wanted[] = []
  for (const skill of named) {
    if (lock.has(skill.name)) continue
    wanted.push(await takenOver(client, { project, registry, wire }, skill))
  }
  if (wanted.length === 0) {
    throw new Error(
      named.length > 0
        ? 'Everything that skills-lock.json names of this registry is in skillpass.lock.'
        : `skills-lock.json names no skill of ${registry}.`,
    )
  }
  const isTakenOver = (folder: string) => isUnchangedNpx(project, registry, folder)
  const cache = openCache(terminal)
  const done = await install({ project, lock, cache, wire, force, isTakenOver }, wanted)
  warnReplaced(
    terminal,
    done.flatMap(({ losses }) => losses),
  )
  return done.map(installedOf)
}

/** What people are told of an installation. */
export function sentenceOf({ address, version, folders, files, changed }: InstalledSkill): string {
  const done = changed ? 'Installed' : 'Already installed:'
  const what = `${plain(address)}, version ${version} (${counted(files, 'file', 'files')})`
  return `${done} ${what}: ${folders.map(plain).join(', ')}\n`
}
