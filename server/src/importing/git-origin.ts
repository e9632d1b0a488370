import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Home {
  owner: string
  repo: string
  /** The root of the working tree, to which paths in the repository are relative. */
  root: string
}

/** Returns owner and name of the git remote `origin` of a folder's repository, or null. */
export async function gitOrigin(folder: string): Promise<Home | null> {
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
function parseRemote(url: string): { owner: string; repo: string } | null {
  const match =
    /^(?:https?|ssh|git):\/\/[^/]+\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ??
    /^[^/@:]+@[^/:]+:([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url)
  return match?.[1] && match[2] ? { owner: match[1], repo: match[2] } : null
}
