import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import {
  comparePaths,
  filePathIssue,
  filePathsIssues,
  type ManifestLine,
  versionControl,
} from '../../contract/registry/file-path.ts'
import { plain } from '../command.ts'
import { readmeOf } from '../skill-file.ts'
import { type IgnoreRules, isIgnored } from './gitignore.ts'
import { ignoredAbove, rulesIn } from './ignore-files.ts'
import { leftOut } from './left-out.ts'
import { pointedFrom } from './pointer.ts'
import { secretsTrouble } from './secrets.ts'

/** What a version of a skill may hold beside its SKILL.md, as the registry has it. */
export const folderBounds = { files: 512, bytes: 16 * 1024 * 1024, fileBytes: 4 * 1024 * 1024 }

/** A file beside SKILL.md, as it is published. */
export interface PublishedFile extends ManifestLine {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What a folder holds beside SKILL.md. */
export interface PublishedFolder {
  readonly files: readonly PublishedFile[]
  /** What is left out, by default and by `.gitignore`; a folder has a slash at its end and stands for all in it. */
  readonly ignored: readonly string[]
}

/** Where a walk is, and what it has found. */
interface Walk {
  /** The folder that is published, without symbolic links. */
  readonly root: string
  /** Name of the file that is published as SKILL.md. */
  readonly readme: string
  /** How paths begin for the rules of the repository around it. */
  readonly prefix: string
  /** Whether files that look like secrets are taken. */
  readonly withSecrets: boolean
  readonly files: PublishedFile[]
  readonly ignored: string[]
  readonly troubles: string[]
  bytes: number
  count: number
}

/**
 * Reads what lies beside the SKILL.md of a folder: what git would take, and what symbolic links lead to
 * within the folder. Throws where something cannot be published, and names all of it.
 */
export async function readFolder(
  path: string,
  { withSecrets = false }: { withSecrets?: boolean } = {},
): Promise<PublishedFolder> {
  const root = await realpath(path)
  const above = await ignoredAbove(root)
  const found: Walk = {
    root,
    readme: await readmeOf(root),
    prefix: above.prefix,
    withSecrets,
    files: [],
    ignored: [],
    troubles: [],
    bytes: 0,
    count: 0,
  }
  const rules = [leftOut, ...above.files]
  await walk(found, { real: root, path: '', rules, around: [root] })
  const { files, ignored, troubles, bytes, count } = found
  const paths = files.map((file) => file.path)
  for (const { index, message } of filePathsIssues(paths)) {
    troubles.push(`${paths[index]} ${message}`)
  }
  const { files: most, bytes: mostBytes } = folderBounds
  if (count > most) troubles.unshift(`${count} files beside SKILL.md, at most ${most} are taken`)
  if (bytes > mostBytes) {
    troubles.unshift(`${bytes} bytes beside SKILL.md, at most ${mostBytes} (16 MiB) are taken`)
  }
  if (troubles.length > 0) throw new Error(sentence(path, troubles))
  return { files: files.sort((one, other) => comparePaths(one.path, other.path)), ignored }
}

const shownTroubles = 20

function sentence(path: string, troubles: readonly string[]): string {
  const shown = troubles.slice(0, shownTroubles).map((trouble) => `\n  ${plain(trouble)}`)
  const more = troubles.length - shown.length
  const rest = more > 0 ? `\n  and ${more} more` : ''
  return `${path} cannot be published:${shown.join('')}${rest}`
}

/** A folder on the way, with the real folders around it, so that no link leads in a circle. */
interface Place {
  readonly real: string
  /** As it is published, with a slash at its end; empty for the topmost. */
  readonly path: string
  readonly rules: readonly IgnoreRules[]
  readonly around: readonly string[]
}

async function walk(found: Walk, place: Place): Promise<void> {
  const entries = await readdir(place.real, { withFileTypes: true })
  const own = await rulesIn(join(place.real, '.gitignore'), found.prefix + place.path)
  const rules = [...place.rules, ...own]
  for (const entry of entries.sort((one, other) => comparePaths(one.name, other.name))) {
    // Names are NFC in the registry; some file systems hand them out taken apart.
    const path = place.path + entry.name.normalize('NFC')
    if (versionControl.has(entry.name)) continue
    // A link is no folder to git, whatever it leads to.
    const isReadme = path === found.readme
    const inRepository = found.prefix + place.path + entry.name
    if (!isReadme && isIgnored(rules, inRepository, entry.isDirectory())) {
      found.ignored.push(entry.isDirectory() ? `${path}/` : path)
      continue
    }
    let real = join(place.real, entry.name)
    const link = entry.isSymbolicLink() ? real : await pointedFrom(real)
    if (link !== undefined) {
      const target = await targetWithin(found.root, link)
      if (target.trouble !== undefined) {
        found.troubles.push(`${path} ${target.trouble}`)
        continue
      }
      real = target.real
    }
    if (isReadme) continue
    const kind = await stat(real)
    if (kind.isDirectory() && place.around.includes(real)) {
      found.troubles.push(`${path} is a symbolic link that leads in a circle`)
    } else if (kind.isDirectory()) {
      const around = [...place.around, real]
      await walk(found, { real, path: `${path}/`, rules, around })
    } else if (kind.isFile()) await take(found, path, real, kind)
    else found.troubles.push(`${path} is neither a file nor a folder`)
  }
}

/** Where a symbolic link leads, which must be within the folder and not into version control. */
async function targetWithin(
  root: string,
  link: string,
): Promise<{ real: string; trouble?: undefined } | { trouble: string }> {
  const real = await realpath(link).catch(() => undefined)
  if (real === undefined) return { trouble: 'is a symbolic link that leads nowhere' }
  const within = relative(root, real)
  const names = within.split(sep)
  if (names[0] === '..' || join(root, within) !== real) {
    return { trouble: `is a symbolic link that leads out of the folder, to ${real}` }
  }
  return names.some((name) => versionControl.has(name))
    ? { trouble: `is a symbolic link into ${within}, which version control keeps` }
    : { real }
}

async function take(found: Walk, path: string, real: string, { size, mode }: Stats): Promise<void> {
  found.count++
  found.bytes += size
  const issue = filePathIssue(path)
  if (issue !== undefined) found.troubles.push(`${path} ${issue}`)
  const most = folderBounds.fileBytes
  if (size > most) {
    found.troubles.push(`${path} has ${size} bytes, at most ${most} (4 MiB) are taken`)
    return
  }
  // Beyond the bounds nothing is read: the folder is refused anyway.
  if (found.count > folderBounds.files || found.bytes > folderBounds.bytes) return
  const bytes = await readFile(real)
  const secrets = found.withSecrets ? undefined : secretsTrouble(path, bytes)
  if (secrets !== undefined) {
    found.troubles.push(`${path} ${secrets}`)
    return
  }
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const executable = (mode & 0o100) !== 0
  found.files.push({ path, digest, size: bytes.length, executable, bytes })
}
