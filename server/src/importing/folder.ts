import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import {
  bounds,
  comparePaths,
  filePathIssue,
  filePathsIssues,
  versionControl,
} from '@skillpass/contract'
import { type IgnoreRules, isIgnored, rulesAround, rulesBelow, rulesIn } from './ignored.ts'
import { pointedFrom } from './pointer.ts'
import type { DiskFile, Refusal } from './types.ts'
import { reason } from './walk.ts'

/** Where a walk is, and what it has found. */
interface Walk {
  /** The folder of the skill, without symbolic links. */
  readonly root: string
  /** Name of the file that is the readme. */
  readonly readme: string
  readonly files: (Omit<DiskFile, 'digest'> & { readonly digest?: string })[]
  bytes: number
}

/**
 * What lies beside the SKILL.md of a folder: what git would take, and what symbolic links lead to within
 * the folder. A refusal names the first thing that cannot be taken.
 */
export async function readSkillFolder(
  folder: string,
  readme: string,
): Promise<DiskFile[] | Refusal> {
  try {
    const root = await realpath(folder)
    const found: Walk = { root, readme, files: [], bytes: 0 }
    await walk(found, { real: root, path: '', rules: await rulesAround(root), around: [root] })
    const paths = found.files.map(({ path }) => path)
    const [twin] = filePathsIssues(paths)
    if (twin) throw new Refused('bad-path', `${shown(paths[twin.index] ?? '')} ${twin.message}`)
    const files: DiskFile[] = []
    for (const file of found.files) files.push({ ...file, digest: await digestOf(file.real) })
    return files.sort((a, b) => comparePaths(a.path, b.path))
  } catch (error) {
    if (error instanceof Refused) return { rule: error.rule, message: error.message }
    return { rule: 'unreadable', message: `a file beside it: ${reason(error)}` }
  }
}

/** Ends a walk with what the skill is refused for. */
class Refused extends Error {
  readonly rule: string
  constructor(rule: string, message: string) {
    super(message)
    this.rule = rule
  }
}

/** A folder on the way, with the real folders around it, so that no link leads in a circle. */
interface Place {
  readonly real: string
  /** As the registry has it, with a slash at its end; empty for the topmost. */
  readonly path: string
  readonly rules: IgnoreRules
  readonly around: readonly string[]
}

async function walk(found: Walk, place: Place): Promise<void> {
  const rules = await rulesIn(place.real, place.rules)
  const entries = await readdir(place.real, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => comparePaths(a.name, b.name))) {
    const { name } = entry
    // Names are NFC in the registry; some file systems hand them out taken apart.
    const path = place.path + name.normalize('NFC')
    if (versionControl.has(name) || path === found.readme) continue
    // To git a link is no folder, whatever it leads to.
    if (isIgnored(rules, name, entry.isDirectory())) continue
    const here = join(place.real, name)
    const link = entry.isFile()
      ? await pointedFrom(here)
      : entry.isSymbolicLink()
        ? here
        : undefined
    const real = link === undefined ? here : await targetWithin(found.root, link, path)
    const kind = await stat(real)
    if (kind.isDirectory()) {
      if (place.around.includes(real)) {
        throw new Refused('link-circle', `${shown(path)} is a link that leads in a circle`)
      }
      const around = [...place.around, real]
      await walk(found, { real, path: `${path}/`, rules: rulesBelow(rules, name), around })
    } else if (kind.isFile()) {
      take(found, { path, real, size: kind.size, executable: (kind.mode & 0o100) !== 0 })
    } else throw new Refused('unknown-kind', `${shown(path)} is neither a file nor a folder`)
  }
}

/** Where a link leads, which must be within the folder and not into version control. */
async function targetWithin(root: string, link: string, path: string): Promise<string> {
  const real = await realpath(link).catch(() => {
    throw new Refused('link-broken', `${shown(path)} is a link that leads nowhere`)
  })
  const names = relative(root, real).split(sep)
  if (names[0] === '..' || join(root, ...names) !== real) {
    throw new Refused('link-outside', `${shown(path)} is a link that leads out of the folder`)
  }
  if (names.some((name) => versionControl.has(name))) {
    throw new Refused('link-outside', `${shown(path)} is a link into ${names[0]}`)
  }
  return real
}

function take(found: Walk, file: Walk['files'][number]): void {
  const { path, size } = file
  const issue = filePathIssue(path)
  if (issue !== undefined) throw new Refused('bad-path', `${shown(path)} ${issue}`)
  if (size > bounds.blobBytes) {
    const message = `${shown(path)} has ${size} bytes; ${bounds.blobBytes} are allowed`
    throw new Refused('file-too-large', message)
  }
  found.bytes += size
  if (found.files.push(file) > bounds.files) {
    const message = `over ${bounds.files} files stand beside it; that many are allowed`
    throw new Refused('too-many-files', message)
  }
  if (found.bytes > bounds.bundleBytes) {
    const message = `over ${bounds.bundleBytes} bytes stand beside it; that many are allowed`
    throw new Refused('folder-too-large', message)
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return `sha256:${hash.digest('hex')}`
}

const shown = (path: string) => JSON.stringify(path)
