import type { Client } from '../../client.ts'
import { VerdictError } from '../../errors.ts'
import { gravity, type SkillAddress, type Verdict } from '../../registry.ts'
import { plain } from '../command.ts'
import { defaultFolders, folderFrom } from './folders.ts'
import { type InstalledSkill, install, openProject } from './installer.ts'
import { isSkillName, type Lock } from './lock.ts'
import { locate, manifestOf } from './source.ts'

/** A version that is about to be installed. */
export interface FoundVersion {
  readonly address: string
  readonly version: number
  readonly verdict: Verdict
  /** Ids of the rules that name something in it. */
  readonly rules: readonly string[]
  /** Whether the lock names this version already. */
  readonly isInstalled: boolean
}

/** Settings of `installSkill`. */
export interface InstallOptions {
  /** A version by number; the current one without it. */
  readonly version?: number | undefined
  /** Folder of the project, which holds `skillpass.lock`; the one that the process works in without it. */
  readonly project?: string | undefined
  /**
   * Folder of the project that gets the skill, as `FOLDER/SKILL`, beside those that have it already. Without
   * it `.agents/skills`, and `.claude/skills` where the project has a `.claude`.
   */
  readonly folder?: string | undefined
  /** Whether to replace what is there, and files that somebody has changed; false by default. */
  readonly force?: boolean | undefined
  /** The gravest verdict to install; 'notice' by default, so that no skill with a warning is. */
  readonly allow?: Verdict | undefined
  /** Decides instead of `allow`, before anything is written: throws to refuse the version. */
  readonly accept?: ((found: FoundVersion) => void | Promise<void>) | undefined
  /** Environment that may name the cache of files, `SKILLPASS_CACHE`; that of the process without it. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** What `installSkill` has done. */
export interface InstallResult extends InstalledSkill {
  /** What the lint says of this version. */
  readonly verdict: Verdict
  /** Ids of the rules that name something in it. */
  readonly rules: readonly string[]
  /** What `force` has replaced, a line each. */
  readonly replaced: readonly string[]
}

/**
 * Installs a skill with all its files in a project and names it in `skillpass.lock`, as `skillpass add` does.
 * Every digest is checked; where anything fails, folders and lock stay as they were.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://skills.example.com' })
 * const address = { owner: 'report-writer', repo: 'skills', skill: 'pdf-form-filler' }
 * const { version, folders } = await installSkill(client, address)
 * @throws VerdictError where the skill has a graver verdict than `allow`.
 */
export async function installSkill(
  client: Client,
  { owner, repo, skill }: SkillAddress,
  options: InstallOptions = {},
): Promise<InstallResult> {
  const { version, folder, force, env = process.env } = options
  const { accept = acceptUpTo(options.allow ?? 'notice') } = options
  const into = await openProject(client, { cwd: options.project, env })
  const { project, lock, registry, wire } = into
  const asked = folder === undefined ? [] : [folderFrom(project, folder)]
  const located = await locate({ registry, address: `${owner}/${repo}/${skill}`, version }, wire)
  const { address, verdict, rules } = located
  const name = nameOf(address, lock)
  const before = lock.get(name)
  const isInstalled = before?.locked?.version === located.version
  await accept({ address, version: located.version, verdict, rules, isInstalled })
  const named = [...(before?.folders ?? []), ...asked]
  const folders = named.length > 0 ? [...new Set(named)] : await defaultFolders(project)
  const wanted = { name, address, registry, folders, locked: await manifestOf(located, wire) }
  const { installed, replaced } = await install(into, [wanted], { force })
  const [done] = installed
  if (!done) throw new Error(`${address} was not installed.`)
  return { ...done, verdict, rules, replaced }
}

/** Refuses versions with a graver verdict; one that is installed stays. */
const acceptUpTo =
  (allow: Verdict) =>
  ({ address, verdict, rules, isInstalled }: FoundVersion): void => {
    if (isInstalled || gravity[verdict] <= gravity[allow]) return
    const message = `${address} is not installed: the lint found ${rules.join(', ')} in it.`
    throw new VerdictError({ message, address, verdict, rules })
  }

/** The name of a skill's folders. Throws where that of another skill is the same. */
function nameOf(address: string, lock: Lock): string {
  const name = address.split('/').at(-1)?.toLowerCase() ?? ''
  if (!isSkillName(name)) throw new Error(`"${plain(name)}" cannot be the name of a folder.`)
  const before = lock.get(name)
  if (!before || before.address.toLowerCase() === address.toLowerCase()) return name
  throw new Error(
    `${name} is ${plain(before.address)} in this project; "skillpass remove ${name}" first.`,
  )
}
