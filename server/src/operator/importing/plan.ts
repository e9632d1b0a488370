import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSkillFile } from '@skillpass/contract'
import { type FoundFile, findSkillFiles, refusalOf } from './folder.ts'
import type { ReadOptions, RefusedSkill } from './import-item.ts'

/** A file to read. `home` is the repository of a SKILL.md. */
export type PlannedFile =
  | { kind: 'jsonl'; path: string; gzip: boolean }
  | (FoundFile & { kind: 'skill-file'; home: Home; folderName: string })
  | RefusedSkill

/** Returns the files that an import reads for a path. Does not throw. */
export const planPath = (path: string, options: ReadOptions): Promise<PlannedFile[]> =>
  filesAt(path, options).catch((error: unknown) => {
    const { rule, message } = refusalOf(error)
    return [refused(path, rule, message)]
  })

async function filesAt(path: string, options: ReadOptions): Promise<PlannedFile[]> {
  const info = await stat(path)
  if (info.isDirectory()) return planFolder(await realpath(path), options)
  if (!info.isFile()) return [refused(path, 'unknown-kind', 'neither a file nor a folder')]
  if (isSkillFile(basename(path))) {
    const real = join(await realpath(dirname(path)), basename(path))
    const home = await homeOf(dirname(real), options)
    const found = { path: real, real, bytes: info.size, rules: null }
    return [skillFile(found, home, dirname(real))]
  }
  if (/\.jsonl(?:\.gz)?$/i.test(path)) {
    return [{ kind: 'jsonl', path, gzip: /gz$/i.test(path) }]
  }
  return [refused(path, 'unknown-kind', 'neither a folder, a SKILL.md, a .jsonl nor a .jsonl.gz')]
}

async function planFolder(root: string, options: ReadOptions): Promise<PlannedFile[]> {
  const found = await findSkillFiles(root)
  if (found.length === 0) return [refused(root, 'no-skills', 'no SKILL.md below this folder')]
  const home = await homeOf(root, options)
  return found.map((file) =>
    'rule' in file ? refused(file.path, file.rule, file.message) : skillFile(file, home, root),
  )
}

function skillFile(found: FoundFile, home: Home, root: string) {
  const folder = dirname(found.path)
  // A clone's folder may have any name, so use the repository's name.
  const folderName = folder === root && folder === home.root ? home.repo : basename(folder)
  return { kind: 'skill-file' as const, ...found, home, folderName }
}

/** Uses the options, then the git remote, then the importing agent and the folder's name. */
async function homeOf(folder: string, options: ReadOptions): Promise<Home> {
  const origin = await gitOrigin(folder)
  return {
    owner: options.owner ?? origin?.owner ?? options.agent ?? 'importer',
    repo: options.repo ?? origin?.repo ?? repoName(basename(folder)),
    root: origin?.root ?? folder,
    web: origin?.web ?? null,
  }
}

function repoName(folderName: string): string {
  const name = folderName.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100)
  return /^[.-]*$/.test(name) ? 'skills' : name
}

function refused(path: string, rule: string, message: string): PlannedFile {
  return { kind: 'refused', source: path, rule, message }
}

interface Home {
  owner: string
  repo: string
  /** The root of the working tree, to which paths in the repository are relative. */
  root: string
  /** Web address of the repository, if a git remote names its host. */
  web: string | null
}

/** Returns owner and name of the git remote `origin` of a folder's repository, or null. */
async function gitOrigin(folder: string): Promise<Home | null> {
  for (let at = folder; ; at = dirname(at)) {
    const config = await readFile(join(at, '.git', 'config'), 'utf8').catch(() => undefined)
    if (config !== undefined) {
      const url = /^\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)/m.exec(config)?.[1]
      const address = parseRemote(url ?? '')
      return address && { ...address, root: at }
    }
    if (dirname(at) === at) return null
  }
}

/**
 * Parses `https://host/o/r.git`, `ssh://git@host/o/r` and `git@host:o/r.git`. Returns null for
 * local paths.
 */
function parseRemote(url: string): Omit<Home, 'root'> | null {
  const [, host = '', owner, repo] =
    /^(?:https?|ssh|git):\/\/(?:[^/]*@)?([^/@]+)\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ??
    /^[^/@:]+@([^/:]+):([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ??
    []
  if (!owner || !repo) return null
  const web = `https://${host.replace(/:.*/, '')}/${owner}/${repo}`
  return { owner, repo, web: URL.canParse(web) ? new URL(web).href : null }
}
