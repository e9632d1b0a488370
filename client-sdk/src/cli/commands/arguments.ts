import { addressOf, registryConnection } from '../../client.ts'
import { clientFor, registryOf, type Terminal, UsageError } from '../command.ts'
import { isSegment } from '../install/source.ts'

export const text = { type: 'string' } as const
export const flag = { type: 'boolean', default: false } as const

/**
 * Parses `OWNER/REPO/SKILL[@VERSION]`, or the URL of a skill or its SKILL.md, and creates a client for its
 * registry. The query of a URL may contain the version. Throws `UsageError`.
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
 * Returns the id of a skill, given its id or its address with an optional version. Throws `UsageError` if the
 * skill is not in the registry of `SKILLPASS_URL`.
 */
export async function skillIdFrom(text: string, terminal: Terminal) {
  if (uuid.test(text)) return { id: text }
  if (!text.includes('/')) {
    throw new UsageError(`"${text}" is neither the id of a skill nor OWNER/REPO/SKILL.`)
  }
  const { client, params, version } = skillFrom(text, terminal)
  const [registry, configured] = [registryConnection(client).address, registryOf(terminal)]
  if (registry !== configured) {
    throw new UsageError(
      `SKILLPASS_API_KEY belongs to ${configured}. To use ${registry}, set SKILLPASS_URL and SKILLPASS_API_KEY for it.`,
    )
  }
  const { id } = await client.registry.fetchSkill(params)
  if (id === null) throw new Error(`The service did not send the id of ${text}.`)
  return { id, version }
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
