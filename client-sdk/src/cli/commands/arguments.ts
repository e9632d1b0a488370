import { addressOf, registryConnection } from '../../client.ts'
import { didYouMean } from '../../contract/closest-names.ts'
import { clientFor, folderOf, printable, type Terminal, UsageError } from '../command.ts'
import { keyedTransport } from '../install/bounded-get.ts'
import { findProject } from '../install/folders.ts'
import { isSelector, type Lock, type LockEntry, lockFile, readLock } from '../install/lock.ts'
import { encoded, isSegment, locate } from '../install/source.ts'
import { registryOf } from '../logins.ts'

/** An option with a value. */
export const text = (value: string, help: string) => ({ type: 'string', value, help }) as const
/** An option without a value. */
export const flag = (help: string) => ({ type: 'boolean', default: false, help }) as const
export const allowWithdrawn = flag('install even a version that is withdrawn')
export const allowWarnings = flag('install without asking even if the lint found warnings')

/** A version that an argument names after `@`. */
interface VersionName {
  readonly version: number | undefined
  readonly at: string | undefined
}

/**
 * Parses the argument that names a skill, for all commands: `OWNER/REPO/SKILL`, the URL of a skill,
 * its markdown or its SKILL.md, or its name in `skillpass.lock`, each with an optional `@VERSION`.
 * Throws `UsageError`.
 */
function parseSkill(text: string) {
  const [, path = text, query] = /^([^?#]*)(?:\?([^#]*))?/.exec(text) ?? []
  const page = path.replace(/\/+$/, '').replace(/(\/files|\/view)?\/SKILL\.md$/, '')
  const [, withEnding = page, given] = /^(.*)@([^@/]*)$/.exec(page) ?? []
  const named = withEnding.replace(/\.md$/, '')
  const { version, at } = versionFrom(
    given ?? new URLSearchParams(query).get('version') ?? undefined,
  )
  if (!text.includes('/')) return { name: named, version, at }
  const parts = named.replace(/^https?:\/\//, '').split('/')
  const isWhole = named !== parts.join('/')
  const segments = isWhole ? parts.slice(-3) : parts
  if (segments.length !== 3 || !segments.every(isSegment)) {
    throw new UsageError(
      `"${text}" is not of the form OWNER/REPO/SKILL or OWNER/REPO/SKILL@VERSION.`,
    )
  }
  const address = segments.join('/')
  const registry = isWhole ? registryIn(named.slice(0, -address.length), text) : undefined
  return { address, registry, version, at }
}

/** Finds the skill of an argument, and creates a client for its registry. Throws `UsageError`. */
export async function skillFrom(text: string, terminal: Terminal) {
  const named = parseSkill(text)
  const found = named.name === undefined ? named : await lockedAddress(named, text, terminal)
  const [owner = '', repo = '', skill = ''] = found.address.split('/')
  return { ...found, client: clientFor(terminal, found.registry), params: { owner, repo, skill } }
}

/** Returns the address of a skill in the lock. Throws `UsageError`. */
async function lockedAddress(
  { name, version, at }: { name: string } & VersionName,
  text: string,
  terminal: Terminal,
) {
  const project = await findProject(folderOf(terminal))
  const lock: Lock = project === undefined ? new Map() : await readLock(project)
  const entry = lock.get(name)
  if (entry) {
    const { address, registry } = entry
    return { address, registry, version, at }
  }
  throw new UsageError(
    `"${text}" is neither OWNER/REPO/SKILL nor a skill in ${lockFile}.${didYouMean(name, lock.keys())}`,
  )
}

/**
 * Returns the entry of a skill in the lock, and the version that the argument names. Throws if
 * there is no entry.
 */
export function lockedSkill(lock: Lock, text: string) {
  const named = parseSkill(text)
  const isNamed = ([name, { address, registry }]: [string, LockEntry]) =>
    named.name === undefined
      ? address.toLowerCase() === named.address.toLowerCase() &&
        [undefined, registry].includes(named.registry)
      : name === named.name
  const [found] = [...lock].filter(isNamed)
  if (found) return { name: found[0], entry: found[1], version: named.version, at: named.at }
  const known =
    named.name === undefined ? Array.from(lock.values(), ({ address }) => address) : lock.keys()
  const near = didYouMean(named.name ?? named.address, known)
  throw new Error(
    `${lockFile} has no skill "${printable(text)}".${near} To list its skills, run "skillpass list".`,
  )
}

/** Reads a number, or else a label, range or dist-tag. Throws `UsageError`. */
function versionFrom(text: string | undefined): VersionName {
  const isNumber = text !== undefined && /^\d+$/.test(text)
  if (isNumber) return { version: numberFrom('@VERSION', text), at: undefined }
  if (text === undefined || isSelector(text)) return { version: undefined, at: text }
  throw new UsageError('@VERSION must be a number, a label such as 1.4.0, a range or a dist-tag.')
}

function registryIn(address: string, text: string): string {
  try {
    return addressOf('registry', address)
  } catch {
    throw new UsageError(`"${text}" is not the address of a skill.`)
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Returns the id of a skill, given its id or an argument of `skillFrom`, and a client with a key
 * for its registry. Throws `UsageError` if there is no key.
 */
export async function skillIdFrom(text: string, terminal: Terminal) {
  if (uuid.test(text)) return { id: text, client: clientFor(terminal) }
  const { client, params, version } = await skillFrom(text, terminal)
  const { address: registry, apiKey } = registryConnection(client)
  if (apiKey === undefined && registry !== registryOf(terminal)) {
    throw new UsageError(
      `You are not logged in to ${registry}. Run "skillpass login ${registry}" first.`,
    )
  }
  const { id } = await client.registry.fetchSkill(params)
  if (id === null) throw new Error(`The service did not send the id of ${text}.`)
  return { id, version, client }
}

/**
 * Finds a skill, given an argument of `skillFrom`, without counting as a reader of it. Follows
 * moves.
 */
export async function locatedSkill(text: string, terminal: Terminal) {
  const { client, address, version, at } = await skillFrom(text, terminal)
  const { address: registry } = registryConnection(client)
  const transport = keyedTransport(client)
  const wanted = { registry, address, version, at }
  const found = await locate({ ...wanted, method: 'HEAD' }, transport).catch(() =>
    locate(wanted, transport),
  )
  return { client, ...found, page: `${registry}/${encoded(found.address)}` }
}

/** Finds the version of a skill that an argument names by its number. Throws `UsageError`. */
export async function numberedVersion(text: string, terminal: Terminal) {
  const { version } = parseSkill(text)
  if (version === undefined) {
    throw new UsageError(`"${text}" names no version. Add its number, for example ${text}@4.`)
  }
  const { client, id, address } = await locatedSkill(text, terminal)
  return { client, params: { id, version }, what: `${printable(address)}, version ${version}` }
}

/** Parses numeric options. The service checks their range. Throws `UsageError`. */
export function numbersOf<O extends string>(options: Readonly<Record<O, string | undefined>>) {
  const numbers: Partial<Record<O, number>> = {}
  for (const option in options) {
    const text = options[option]
    if (text === undefined) continue
    if (text.trim() === '' || Number.isNaN(Number(text)))
      throw new UsageError(`--${option} must be a number.`)
    numbers[option] = Number(text)
  }
  return numbers
}

/** Parses one of some words. Throws `UsageError`. */
export function choiceFrom<W extends string>(option: string, words: readonly W[], text: string): W {
  const found = words.find((word) => word === text)
  if (found) return found
  throw new UsageError(`${option} must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`)
}

/** Parses a positive integer. Throws `UsageError`. */
export function numberFrom(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${option} must be a positive integer.`)
  return Number(text)
}
