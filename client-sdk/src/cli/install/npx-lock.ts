import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fieldsOf, textIn } from '../../read.ts'
import { isSkillName } from './lock.ts'

/** Name of the lock file that `npx skills` writes. */
export const npxLockFile = 'skills-lock.json'

/** A skill that `npx skills` has installed from this registry. */
export interface NpxSkill {
  readonly name: string
  /** What its address is known to begin with: `owner/repo/skill`, `owner/repo`, `owner`, or nothing. */
  readonly scope: readonly string[]
  /** The hash that it keeps of the folder. */
  readonly hash: string
}

/**
 * What `skills-lock.json` names of a registry. Version 1.5 of the program keeps the host name alone, 1.7 the
 * address that was given to it.
 */
export async function npxSkills(project: string, registry: string): Promise<NpxSkill[]> {
  const text = await readFile(join(project, npxLockFile), 'utf8').catch(() => undefined)
  if (text === undefined) return []
  const skills = Object.entries(fieldsOf(fieldsOf(parsed(text)).skills))
  return skills.flatMap(([name, entry]) => {
    const fields = fieldsOf(entry)
    const hash = textIn(fields, 'computedHash')
    if (textIn(fields, 'sourceType') !== 'well-known' || !isSkillName(name) || !hash) return []
    const scope = scopeOf(textIn(fields, 'sourceUrl'), textIn(fields, 'source'), registry)
    return scope ? [{ name, scope, hash }] : []
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${npxLockFile} is no JSON.`)
  }
}

/** The parts of the address behind the registry's own; undefined where it is another's. */
function scopeOf(
  url: string | undefined,
  source: string | undefined,
  registry: string,
): string[] | undefined {
  const address = url ?? (source?.includes('://') ? source : undefined)
  if (address === undefined) {
    return source === new URL(registry).hostname.replace(/^www\./, '') ? [] : undefined
  }
  if (address !== registry && !address.startsWith(`${registry}/`)) return undefined
  return address
    .slice(registry.length)
    .split(/[/@]/)
    .filter((part) => part !== '')
    .slice(0, 3)
}

/** The hash that `npx skills` keeps of a folder: SHA-256 over paths and contents, in the order of a locale. */
export async function npxHash(folder: string): Promise<string> {
  const files: { path: string; bytes: Uint8Array }[] = []
  const collect = async (at: string) => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name)
      const isLeftOut = entry.name === '.git' || entry.name === 'node_modules'
      if (entry.isDirectory() && !isLeftOut) await collect(path)
      else if (entry.isFile()) {
        const below = relative(folder, path).split(sep).join('/')
        files.push({ path: below, bytes: await readFile(path) })
      }
    }
  }
  await collect(folder)
  const hash = createHash('sha256')
  for (const { path, bytes } of files.sort((one, other) => one.path.localeCompare(other.path))) {
    hash.update(path).update(bytes)
  }
  return hash.digest('hex')
}
