import { readlink, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { plain } from '../command.ts'
import { type Difference, differenceLine, differencesOf, isAsLocked } from './differences.ts'
import { kindOf, realFolder } from './folders.ts'
import type { LockEntry } from './lock.ts'
import type { ManifestFile } from './manifest.ts'

/** A folder that is to hold a skill. */
export interface Target {
  /** As sentences name it: `.agents/skills/pdf-forms`. */
  readonly shown: string
  /** Parent of the folder, symbolic links resolved. */
  readonly base: string
  /** Whether it is as it is to be; `linked` where a link leads to another folder of the skill. */
  readonly state: 'same' | 'linked' | 'write'
}

/** What decides whether something that is in the place may go. */
export interface TargetRules {
  /** What the lock says is there. */
  readonly before: LockEntry | undefined
  /** Folders whose content another installer vouches for. */
  readonly isTakenOver: (folder: string) => Promise<boolean>
}

/** `.agents/skills/pdf-forms`. */
export const shownTarget = (folder: string, name: string): string =>
  folder === '.' ? name : `${folder}/${name}`

/**
 * What is to be done at each folder of a skill. Adds to `losses` what would be lost: what this program has
 * not installed, and files that somebody has changed since.
 */
export async function targetsOf(
  project: string,
  name: string,
  wanted: { readonly folders: readonly string[]; readonly files: readonly ManifestFile[] },
  rules: TargetRules,
  losses: string[],
): Promise<Target[]> {
  const targets: Target[] = []
  const real = new Set<string>()
  for (const folder of wanted.folders) {
    const base = await realFolder(project, folder)
    const shown = shownTarget(folder, name)
    const place = join(base, name)
    if (real.has(place)) {
      targets.push({ shown, base, state: 'linked' })
      continue
    }
    const kind = await kindOf(place)
    const led = kind === 'link' ? await targetOf(place) : undefined
    if (led !== undefined && real.has(led)) {
      targets.push({ shown, base, state: 'linked' })
      continue
    }
    real.add(place)
    const differences = await differencesOf(place, wanted.files)
    if (isAsLocked(differences)) {
      targets.push({ shown, base, state: 'same' })
      continue
    }
    if (kind !== undefined) {
      losses.push(...(await lossesAt({ place, shown, folder }, differences, rules)))
    }
    targets.push({ shown, base, state: 'write' })
  }
  return targets
}

/** A bit is put right and what was generated is made again: nothing of anybody's is lost. */
export const isLoss = ({ what }: Difference): boolean => what !== 'mode' && what !== 'generated'

/** Where a link leads, even if nothing is there yet. */
const targetOf = async (link: string) =>
  realpath(link).catch(async () => resolve(dirname(link), await readlink(link)))

interface Place {
  readonly place: string
  readonly shown: string
  readonly folder: string
}

/** What would be lost if something else took this place. */
async function lossesAt(
  { place, shown, folder }: Place,
  differences: readonly Difference[] | undefined,
  { before, isTakenOver }: TargetRules,
): Promise<string[]> {
  if (!differences) {
    const link = await readlink(place).catch(() => undefined)
    const what = link === undefined ? 'not a folder' : `a symbolic link to ${plain(link)}`
    return [`${shown} is ${what}`]
  }
  if (!differences.some(isLoss)) return []
  if (before?.locked && before.folders.includes(folder)) {
    const changes = (await differencesOf(place, before.locked.files)) ?? []
    return changes.filter(isLoss).map((change) => `${shown}/${differenceLine(change)}`)
  }
  if (await isTakenOver(place)) return []
  return [`${shown} is there, and skillpass has not installed it`]
}
