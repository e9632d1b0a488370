import { addressOf, calledRegistry } from '../../client.ts'
import { clientFor, registryOf, type Terminal, UsageError } from '../command.ts'
import { isSegment } from '../install/source.ts'

/** Options of commands, and how what they are given is read. */

export const text = { type: 'string' } as const
export const flag = { type: 'boolean', default: false } as const

/**
 * The skill that `OWNER/REPO/SKILL` names, with `@VERSION` or without, and a client of its registry; the whole http
 * address of a skill, or of its SKILL.md, names its registry itself, and its query may name the version. Throws
 * `UsageError`.
 */
export function skillFrom(text: string, terminal: Terminal) {
  const [, path = text, query] = /^([^?#]*)(?:\?([^#]*))?/.exec(text) ?? []
  const plainPath = path.replace(/\/+$/, '').replace(/(\/files|\/view)?\/SKILL\.md$/, '')
  const [, named = plainPath, at] = /^(.*)@([^@/]*)$/.exec(plainPath) ?? []
  const version = at ?? new URLSearchParams(query).get('version') ?? undefined
  const parts = named.replace(/^https?:\/\//, '').split('/')
  const isWhole = named !== parts.join('/')
  const segments = isWhole ? parts.slice(-3) : parts
  const [owner = '', repo = '', skill = ''] = segments
  if (segments.length !== 3 || !segments.every(isSegment)) {
    throw new UsageError(
      `"${text}" is not of the form OWNER/REPO/SKILL or OWNER/REPO/SKILL@VERSION.`,
    )
  }
  const address = segments.join('/')
  const registry = isWhole ? registryIn(named.slice(0, -address.length), text) : undefined
  return {
    client: clientFor(terminal, registry),
    address,
    params: { owner, repo, skill },
    version: version === undefined ? undefined : numberFrom('@VERSION', version),
  }
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
 * The id of a skill of the registry that the key is for, named by it or by its address, which may name a version.
 * Throws `UsageError`.
 */
export async function skillIdFrom(text: string, terminal: Terminal) {
  if (uuid.test(text)) return { id: text }
  if (!text.includes('/')) {
    throw new UsageError(`"${text}" is neither the id of a skill nor OWNER/REPO/SKILL.`)
  }
  const { client, params, version } = skillFrom(text, terminal)
  const [registry, own] = [calledRegistry(client).address, registryOf(terminal)]
  if (registry !== own) {
    throw new UsageError(
      `SKILLPASS_API_KEY is for ${own}. For a skill of ${registry}, set SKILLPASS_URL to that, with a key of it.`,
    )
  }
  const { id } = await client.registry.fetchSkill(params)
  if (id === null) throw new Error(`The service does not tell the id of ${text}.`)
  return { id, version }
}

/** Options that are numbers, where they are given; which numbers are taken, the service says. Throws `UsageError`. */
export function numbersOf<O extends string>(given: Readonly<Record<O, string | undefined>>) {
  const numbers: Partial<Record<O, number>> = {}
  for (const option in given) {
    const text = given[option]
    if (text === undefined) continue
    if (text.trim() === '' || Number.isNaN(Number(text)))
      throw new UsageError(`--${option} takes a number.`)
    numbers[option] = Number(text)
  }
  return numbers
}

/** A version or another count. Throws `UsageError`. */
export function numberFrom(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${option} takes a whole number from 1.`)
  return Number(text)
}
