import { addressOf, type Client } from '../../client.ts'
import { UsageError } from '../command.ts'
import { type Asked, isSegment } from '../install/source.ts'

/** Options of commands, and how what they are given is read. */

export const text = { type: 'string' } as const
export const flag = { type: 'boolean', default: false } as const

/** `OWNER/REPO/SKILL`, in its parts, without what a copied address ends with. Throws `UsageError`. */
export function addressFrom(text: string) {
  const [owner, repo, skill, ...rest] = text.replace(/\/*(?:[?#].*)?$/, '').split('/')
  if (!owner || !repo || !skill || rest.length > 0) {
    throw new UsageError(`"${text}" is not of the form OWNER/REPO/SKILL.`)
  }
  return { owner, repo, skill }
}

/**
 * `OWNER/REPO/SKILL`, with `@VERSION` or without, at a registry; the whole http address of a skill names its
 * registry itself, and its query may name the version. Throws `UsageError`.
 */
export function askedFrom(text: string, registry: string): Asked {
  const [, path = text, query] = /^([^?#]*)(?:\?([^#]*))?/.exec(text) ?? []
  const plainPath = path.replace(/\/+$/, '')
  const [, named = plainPath, at] = /^(.*)@([^@/]*)$/.exec(plainPath) ?? []
  const version = at ?? new URLSearchParams(query).get('version') ?? undefined
  const parts = named.replace(/^https?:\/\//, '').split('/')
  const isWhole = named !== parts.join('/')
  const address = (isWhole ? parts.slice(-3) : parts).join('/')
  if (address.split('/').length !== 3 || !address.split('/').every(isSegment)) {
    throw new UsageError(
      `"${text}" is not of the form OWNER/REPO/SKILL or OWNER/REPO/SKILL@VERSION.`,
    )
  }
  return {
    registry: isWhole ? registryIn(named.slice(0, -address.length), text) : registry,
    address,
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

/** The id of a skill that is named by it or as `OWNER/REPO/SKILL`. Throws `UsageError`. */
export async function skillIdFrom(client: Client, text: string): Promise<string> {
  if (uuid.test(text)) return text
  if (!text.includes('/')) {
    throw new UsageError(`"${text}" is neither the id of a skill nor OWNER/REPO/SKILL.`)
  }
  const { id } = await client.registry.fetchSkill(addressFrom(text))
  if (id === null) throw new Error(`The service does not tell the id of ${text}.`)
  return id
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
