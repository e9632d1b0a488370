import { readlink, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { printable } from '../command.ts'
import { type Difference, differenceLine, differencesOf, isAsLocked } from './differences.ts'
import { kindOf, placeOf, realFolder } from './folders.ts'
import type { LockEntry, LockedVersion } from './lock.ts'

/** A destination folder of a skill. */
export interface Target {
  /** Path for messages: `.agents/skills/pdf-forms`. */
  readonly label: string
  /** Real path of the parent folder. */
  readonly base: string
  /** Whether the folder must be written. */
  readonly mustWrite: boolean
}

/** Returns the path of a skill for messages: `.agents/skills/pdf-forms`. */
export const targetPath = (folder: string, name: string): string =>
  folder === '.' ? name : `${folder}/${name}`

/**
 * Returns each folder of a locked skill with its differences; undefined differences if it is
 * missing.
 */
export const comparedFolders = (project: string, name: string, { folders, locked }: LockEntry) =>
  Promise.all(
    folders.map(async (folder) => ({
      folder: targetPath(folder, name),
      differences: await differencesOf(await placeOf(project, folder, name), locked?.files ?? []),
    })),
  )

/**
 * Returns the destination folders of a skill. Adds local content that an installation would overwrite to
 * `losses`: folders that this program did not install, and changed files.
 *
 * @param before Current lock entry of the skill.
 */
export async function targetsOf(
  project: string,
  { name, folders, locked }: LockEntry & { readonly name: string; readonly locked: LockedVersion },
  before: LockEntry | undefined,
  losses: string[],
): Promise<Target[]> {
  const targets: Target[] = []
  const real = new Set<string>()
  for (const folder of folders) {
    const base = await realFolder(project, folder)
    const label = targetPath(folder, name)
    const place = join(base, name)
    const kind = await kindOf(place)
    // One folder of the skill may be a symbolic link to another.
    const isSeen = real.has(place) || (kind === 'link' && real.has(await targetOf(place)))
    real.add(place)
    const differences = isSeen ? [] : await differencesOf(place, locked.files)
    const mustWrite = !isAsLocked(differences)
    targets.push({ label, base, mustWrite })
    if (mustWrite && kind !== undefined) {
      const isOwn = before?.folders.includes(folder)
      losses.push(...(await lossesAt(place, label, differences, isOwn ? before : undefined)))
    }
  }
  return targets
}

/** Returns whether overwriting loses content. Modes and generated files can be restored. */
export const isLoss = ({ what }: Difference): boolean => what !== 'mode' && what !== 'generated'

/** Returns the target of a symbolic link, even if it does not exist. */
const targetOf = async (link: string) =>
  realpath(link).catch(async () => resolve(dirname(link), await readlink(link)))

/** Returns the local content that would be lost if this folder were replaced. */
async function lossesAt(
  place: string,
  label: string,
  differences: readonly Difference[] | undefined,
  before: LockEntry | undefined,
): Promise<string[]> {
  if (!differences) {
    const link = await readlink(place).catch(() => undefined)
    return [
      `${label} is ${link === undefined ? 'not a folder' : `a symbolic link to ${printable(link)}`}`,
    ]
  }
  if (!differences.some(isLoss)) return []
  if (!before?.locked) return [`${label} exists but was not installed by skillpass`]
  const changes = (await differencesOf(place, before.locked.files)) ?? []
  return changes.filter(isLoss).map((change) => `${label}/${differenceLine(change)}`)
}
