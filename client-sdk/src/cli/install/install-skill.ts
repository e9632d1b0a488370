import type { Client } from '../../client.ts'
import { VerdictError } from '../../errors.ts'
import { type SkillAddress, severity, type Verdict } from '../../registry.ts'
import { printable } from '../command.ts'
import { defaultFolders, projectFolder } from './folders.ts'
import { type InstalledSkill, install, openFolder } from './installer.ts'
import { isSkillName, type Lock } from './lock.ts'
import { locate, manifestOf, withdrawnRemedy } from './source.ts'

/** A version that is about to be installed. */
export interface FoundVersion {
  readonly address: string
  readonly version: number
  readonly verdict: Verdict
  /** Ids of the lint rules with findings. */
  readonly rules: readonly string[]
  /** Whether the lock already contains this version. */
  readonly isInstalled: boolean
  /** Why the publisher advises against it, as sentences. */
  readonly advice: readonly string[]
}

/** Settings of `installSkill`. */
export interface InstallOptions {
  /** Version number. Default: the current version. */
  readonly version?: number | undefined
  /** A label such as `1.4.0`, a range such as `^1.2`, or a dist-tag, in place of `version`. */
  readonly at?: string | undefined
  /** Whether to install a withdrawn version. Default: false. */
  readonly allowWithdrawn?: boolean | undefined
  /** Project folder, which holds `skillpass.lock`. Default: the working directory. */
  readonly project?: string | undefined
  /**
   * Folder inside the project; the skill is installed to `FOLDER/SKILL`, in addition to its
   * existing folders. Default: `.agents/skills`, and also `.claude/skills` if the project has a
   * `.claude` folder.
   */
  readonly folder?: string | undefined
  /** Whether to overwrite existing folders and local changes. Default: false. */
  readonly force?: boolean | undefined
  /** Most severe verdict to accept. Default: `notice`, which excludes skills with a warning. */
  readonly allow?: Verdict | undefined
  /**
   * Replaces the check of `allow`. Called before anything is written; throw an error to reject the
   * version.
   */
  readonly accept?: ((found: FoundVersion) => void | Promise<void>) | undefined
  /** Environment with an optional `SKILLPASS_CACHE`. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** Result of `installSkill`. */
export interface InstallResult extends InstalledSkill {
  /** Lint verdict of this version. */
  readonly verdict: Verdict
  /** Ids of the lint rules with findings. */
  readonly rules: readonly string[]
  /** Local content that `force` replaced, one line each. */
  readonly replaced: readonly string[]
}

/**
 * Installs a skill with all its files in a project and adds it to `skillpass.lock`, as `skillpass add` does.
 * Checks every digest. If anything fails, folders and lock stay unchanged.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://skills.example.com' })
 * const address = { owner: 'report-writer', repo: 'skills', skill: 'pdf-form-filler' }
 * const { version, folders } = await installSkill(client, address)
 * @throws VerdictError if the skill has a more severe verdict than `allow`.
 */
export async function installSkill(
  client: Client,
  { owner, repo, skill }: SkillAddress,
  options: InstallOptions = {},
): Promise<InstallResult> {
  const { version, at, allowWithdrawn, folder, force, env = process.env } = options
  const { accept = acceptUpTo(options.allow ?? 'notice') } = options
  const into = await openFolder(client, options.project ?? process.cwd(), { env })
  const { project, lock, registry, transport } = into
  const requested = folder === undefined ? [] : [projectFolder(project, folder)]
  const requestedSkill = {
    registry,
    address: `${owner}/${repo}/${skill}`,
    version,
    at,
    allowWithdrawn,
  }
  const located = await locate(requestedSkill, transport)
  const { address, verdict, rules, advice } = located
  if (located.isWithdrawn && !allowWithdrawn) throw new Error(`${advice[0]} ${withdrawnRemedy}`)
  const name = nameOf(address, lock)
  const before = lock.get(name)
  const isInstalled = before?.locked?.version === located.version
  await accept({ address, version: located.version, verdict, rules, isInstalled, advice })
  const named = [...(before?.folders ?? []), ...requested]
  const folders = named.length > 0 ? [...new Set(named)] : await defaultFolders(project)
  const from = { name, address, registry, ...(at !== undefined && { at }), allowWithdrawn }
  const wanted = { ...from, folders, locked: await manifestOf(located, transport) }
  const { installed, replaced } = await install(into, [wanted], { force })
  const [done] = installed
  if (!done) throw new Error(`${address} was not installed.`)
  return { ...done, verdict, rules, replaced }
}

/** Rejects versions with a more severe verdict, except one that is already installed. */
const acceptUpTo =
  (allow: Verdict) =>
  ({ address, verdict, rules, isInstalled }: FoundVersion): void => {
    if (isInstalled || severity[verdict] <= severity[allow]) return
    const message = `${address} is not installed: the lint found ${rules.join(', ')} in it.`
    throw new VerdictError({ message, address, verdict, rules })
  }

/** Returns the folder name of a skill. Throws if another skill of the project has the same name. */
function nameOf(address: string, lock: Lock): string {
  const name = address.split('/').at(-1)?.toLowerCase() ?? ''
  if (!isSkillName(name)) throw new Error(`"${printable(name)}" cannot be the name of a folder.`)
  const before = lock.get(name)
  if (!before || before.address.toLowerCase() === address.toLowerCase()) return name
  throw new Error(
    `This project already has ${printable(before.address)} as ${name}. Run "skillpass remove ${name}" first.`,
  )
}
