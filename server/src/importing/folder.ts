import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import {
  bounds,
  comparePaths,
  filePathIssue,
  filePathsIssues,
  versionControl,
} from '@skillpass/contract'
import { type IgnoreRules, isIgnored, rulesAround, rulesBelow, rulesIn } from './ignored.ts'
import { Refused, realWithin, refusalOf } from './links.ts'
import type { DiskFile, Refusal } from './types.ts'

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
    const { rule, message } = refusalOf(error)
    return { rule, message: rule === 'unreadable' ? `a file beside it: ${message}` : message }
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
    const real = await realWithin(found.root, entry, path)
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
