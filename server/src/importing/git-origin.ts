import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

export interface GitOrigin {
  owner: string
  repo: string
  /** The working tree's root, which paths within the repository start at. */
  root: string
}

/** Owner and repository of the git remote (`origin` first) of the repository around a folder, or null. */
export async function gitOrigin(folder: string): Promise<GitOrigin | null> {
  for (let at = folder; ; at = dirname(at)) {
    const config = await readConfig(join(at, '.git'))
    if (config !== null) {
      const address = parseRemote(remoteUrl(config) ?? '')
      return address && { ...address, root: at }
    }
    if (dirname(at) === at) return null
  }
}

/** The text of a repository's config, where `.git` is a folder or, in a worktree, a file naming one. */
async function readConfig(git: string): Promise<string | null> {
  const direct = await readText(join(git, 'config'))
  if (direct !== null) return direct
  const pointer = /^gitdir: *(.+)/.exec((await readText(git)) ?? '')?.[1]
  if (pointer === undefined) return null
  const folder = resolve(dirname(git), pointer.trim())
  const common = (await readText(join(folder, 'commondir'))) ?? '.'
  return readText(join(resolve(folder, common.trim()), 'config'))
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    // Absent, a folder, or not ours to read: no repository that we could ask.
    return null
  }
}

function remoteUrl(config: string): string | undefined {
  const urls = new Map<string, string>()
  let remote: string | undefined
  for (const line of config.split('\n')) {
    const section = /^\s*\[\s*(\w+)(?:\s+"([^"]*)")?\s*\]/.exec(line)
    if (section) remote = section[1] === 'remote' ? section[2] : undefined
    const url = /^\s*url\s*=\s*(\S+)/.exec(line)?.[1]
    if (remote !== undefined && url !== undefined && !urls.has(remote)) urls.set(remote, url)
  }
  return urls.get('origin') ?? urls.values().next().value
}

/** `https://host/o/r.git`, `ssh://git@host/o/r` and `git@host:o/r.git`; a path on a disk is no address. */
function parseRemote(url: string): { owner: string; repo: string } | null {
  const match =
    /^(?:https?|ssh|git):\/\/[^/]+\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ??
    /^[^/@:]+@[^/:]+:([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url)
  return match?.[1] && match[2] ? { owner: match[1], repo: match[2] } : null
}
