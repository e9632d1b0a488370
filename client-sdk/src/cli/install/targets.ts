import { readlink, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { plain } from '../command.ts'
import { type Difference, differenceLine, differencesOf, isAsLocked } from './differences.ts'
import { kindOf, placeOf, realFolder } from './folders.ts'
import type { LockEntry, LockedVersion } from './lock.ts'

/** A folder that is to hold a skill. */
export interface Target {
  /** As sentences name it: `.agents/skills/pdf-forms`. */
  readonly shown: string
  /** Parent of the folder, symbolic links resolved. */
  readonly base: string
  /** Whether it must be written. */
  readonly isOld: boolean
}

/** A skill and the folders of the project that are to hold it. */
interface Wanted {
  readonly name: string
  readonly folders: readonly string[]
  readonly locked: LockedVersion
}

/** `.agents/skills/pdf-forms`. */
export const shownTarget = (folder: string, name: string): string =>
  folder === '.' ? name : `${folder}/${name}`

/** Each folder of a skill that the lock names, and how it differs from the lock; undefined if it is missing. */
export const comparedFolders = (project: string, name: string, { folders, locked }: LockEntry) =>
  Promise.all(
    folders.map(async (folder) => ({
      folder: shownTarget(folder, name),
      differences: await differencesOf(await placeOf(project, folder, name), locked?.files ?? []),
    })),
  )

/**
 * What is to be done at each folder of a skill. Adds to `losses` what would be lost: what this program has
 * not installed, and files that somebody has changed since.
 *
 * @param before what the lock says of the skill.
 */
export async function targetsOf(
  project: string,
  { name, folders, locked }: Wanted,
  before: LockEntry | undefined,
  losses: string[],
): Promise<Target[]> {
  const targets: Target[] = []
  const real = new Set<string>()
  for (const folder of folders) {
    const base = await realFolder(project, folder)
    const shown = shownTarget(folder, name)
    const place = join(base, name)
    const kind = await kindOf(place)
    // A link may lead to another folder of the skill.
    const isSeen = real.has(place) || (kind === 'link' && real.has(await targetOf(place)))
    real.add(place)
    const differences = isSeen ? [] : await differencesOf(place, locked.files)
    const isOld = !isAsLocked(differences)
    targets.push({ shown, base, isOld })
    if (isOld && kind !== undefined) {
      const isOwn = before?.folders.includes(folder)
      losses.push(...(await lossesAt(place, shown, differences, isOwn ? before : undefined)))
    }
  }
  return targets
}

/** A bit is put right and what was generated is made again: nothing of anybody's is lost. */
export const isLoss = ({ what }: Difference): boolean => what !== 'mode' && what !== 'generated'

/** Where a link leads, even if nothing is there yet. */
const targetOf = async (link: string) =>
  realpath(link).catch(async () => resolve(dirname(link), await readlink(link)))

/** What would be lost if something else took this place. */
async function lossesAt(
  place: string,
  shown: string,
  differences: readonly Difference[] | undefined,
  before: LockEntry | undefined,
): Promise<string[]> {
  if (!differences) {
    const link = await readlink(place).catch(() => undefined)
    return [
      `${shown} is ${link === undefined ? 'not a folder' : `a symbolic link to ${plain(link)}`}`,
    ]
  }
  if (!differences.some(isLoss)) return []
  if (!before?.locked) return [`${shown} is there, and skillpass has not installed it`]
  const changes = (await differencesOf(place, before.locked.files)) ?? []
  return changes.filter(isLoss).map((change) => `${shown}/${differenceLine(change)}`)
}
