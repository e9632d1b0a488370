import { join } from 'node:path'
import type { Client } from '../../client.ts'
import type { Wire } from '../../transport.ts'
import { plain } from '../command.ts'
import { differencesOf } from './differences.ts'
import { defaultFolders, kindOf, realFolder } from './folders.ts'
import type { Wanted } from './installer.ts'
import type { NpxSkill } from './npx-lock.ts'
import { type Asked, locate, manifestOf } from './source.ts'
import { isLoss } from './targets.ts'

/** Most versions of a skill that are compared with a folder. */
const mostVersions = 20

/**
 * Which version of which skill `npx skills` has installed, found by the content of the folder: its lock
 * tells no version, and at times not even the owner. Throws where none or several are the same.
 */
export async function takenOver(
  client: Client,
  { project, registry, wire }: { project: string; registry: string; wire: Wire },
  { name, scope }: NpxSkill,
): Promise<Wanted> {
  const folders: string[] = []
  for (const folder of await defaultFolders(project)) {
    const place = join(await realFolder(project, folder), name)
    if ((await kindOf(place)) !== undefined) folders.push(folder)
  }
  const [first] = folders
  if (first === undefined)
    throw new Error(`${name} is not in .agents/skills; add it by its address.`)
  const place = join(await realFolder(project, first), name)
  const matches: Wanted[] = []
  for (const address of await candidates(client, name, scope)) {
    const locked = await versionIn(place, { registry, address }, wire)
    if (locked) matches.push({ name, address, registry, folders, locked })
  }
  const [match, ...others] = matches
  if (match && others.length === 0) return match
  throw new Error(
    match
      ? `${name} may be any of ${matches.map(({ address }) => plain(address)).join(', ')}; add the one you mean by its address.`
      : `${first}/${name} is no version of a skill of this name at ${registry}; add it by its address.`,
  )
}

/** Addresses that a skill of this name may have. */
async function candidates(client: Client, name: string, scope: readonly string[]) {
  const [owner, repo, skill] = scope
  if (owner !== undefined && repo !== undefined && skill !== undefined) {
    return [`${owner}/${repo}/${skill}`]
  }
  const within = { ...(owner !== undefined && { owner }), ...(repo !== undefined && { repo }) }
  const query = { q: name, limit: 50, ...within }
  const { data } = await client.registry.skills.search({ query })
  return data
    .filter(({ slug }) => slug === name)
    .map(({ repo, slug }) => `${repo.owner}/${repo.name}/${slug}`)
}

/** The newest version whose files are those of a folder, whatever their modes are there. */
async function versionIn(place: string, asked: Asked, wire: Wire) {
  const current = await locate(asked, wire)
  const last = Math.max(1, current.version - mostVersions + 1)
  for (let version = current.version; version >= last; version--) {
    const manifest = await manifestOf({ ...current, version }, wire).catch(() => undefined)
    if (!manifest) continue
    const differences = await differencesOf(place, manifest.files)
    if (differences && !differences.some(isLoss)) return manifest
  }
  return undefined
}
