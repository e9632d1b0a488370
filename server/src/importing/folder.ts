import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { bounds, comparePaths, filePathIssue, filePathsIssues } from '@skillpass/contract'
import { type IgnoreRules, listIncluded, noRules } from './ignored.ts'
import { Refused, realWithin, refusalOf } from './links.ts'
import type { DiskFile, Refusal } from './types.ts'

type FoundFile = Omit<DiskFile, 'digest'>

/**
 * Lists the files of a skill's folder except its readme: the files that git would include, and
 * targets of symbolic links within the folder. Returns a refusal for the first invalid file.
 *
 * @param readme file name of the readme
 */
export async function readSkillFolder(
  folder: string,
  readme: string,
  rules: IgnoreRules = noRules,
): Promise<DiskFile[] | Refusal> {
  try {
    const found = await filesIn(await realpath(folder), readme, rules)
    const paths = found.map(({ path }) => path)
    const [twin] = filePathsIssues(paths)
    if (twin) throw new Refused('bad-path', `${quoted(paths[twin.index] ?? '')} ${twin.message}`)
    const files: DiskFile[] = []
    for (const file of found) files.push({ ...file, digest: await digestOf(file.real) })
    return files.sort((a, b) => comparePaths(a.path, b.path))
  } catch (error) {
    const { rule, message } = refusalOf(error)
    return {
      rule,
      message: rule === 'unreadable' ? `another file of the skill: ${message}` : message,
    }
  }
}

async function filesIn(root: string, readme: string, rules: IgnoreRules): Promise<FoundFile[]> {
  const files: FoundFile[] = []
  let bytes = 0
  await walk(root, '', rules, [root])
  return files

  /** Walks a folder. `around` are the real paths of its parents, to detect circular links. */
  async function walk(
    folder: string,
    prefix: string,
    rules: IgnoreRules,
    around: readonly string[],
  ): Promise<void> {
    for (const { entry, below } of await listIncluded(folder, rules)) {
      // The registry uses NFC. Some file systems return decomposed names.
      const path = prefix + entry.name.normalize('NFC')
      if (path === readme) continue
      const real = await realWithin(root, entry, path)
      const kind = await stat(real)
      if (kind.isDirectory()) {
        if (around.includes(real)) {
          throw new Refused('link-circle', `${quoted(path)} is a circular link`)
        }
        await walk(real, `${path}/`, below, [...around, real])
      } else if (kind.isFile()) {
        addFile({ path, real, size: kind.size, executable: (kind.mode & 0o100) !== 0 })
      } else throw new Refused('unknown-kind', `${quoted(path)} is neither a file nor a folder`)
    }
  }

  function addFile(file: FoundFile): void {
    const { path, size } = file
    const issue = filePathIssue(path)
    if (issue !== undefined) throw new Refused('bad-path', `${quoted(path)} ${issue}`)
    if (size > bounds.blobBytes) {
      const message = `${quoted(path)} has ${size} bytes; the limit is ${bounds.blobBytes}`
      throw new Refused('file-too-large', message)
    }
    bytes += size
    if (files.push(file) > bounds.files) {
      const message = `the skill has more than ${bounds.files} files besides its readme`
      throw new Refused('too-many-files', message)
    }
    if (bytes > bounds.bundleBytes) {
      const message = `the files besides the readme have more than ${bounds.bundleBytes} bytes`
      throw new Refused('folder-too-large', message)
    }
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return `sha256:${hash.digest('hex')}`
}

const quoted = (path: string) => JSON.stringify(path)
