import { printable } from '../command.ts'
import { messageOf } from '../errors.ts'
import type { KeyedTransport } from './bounded-get.ts'
import type { LockEntry, LockedVersion } from './lock.ts'
import { fileLine, type Manifest } from './manifest.ts'
import { isUnreachable, labelOf, locate, manifestOf } from './source.ts'

/**
 * Result of checking a locked version at its registry: its current address, or why it was not
 * confirmed.
 */
interface Checked {
  readonly address?: string
  /** Why the publisher advises against the version. */
  readonly advice?: readonly string[]
  readonly problem?: {
    readonly kind: 'withdrawn' | 'digest' | 'unreachable'
    readonly lines: readonly string[]
  }
}

/**
 * Returns a function that checks whether a registry still serves a locked version. After a registry
 * could not be reached, it is not contacted again.
 */
export function registryCheck(transport: KeyedTransport, allowWithdrawn = false) {
  const unreachableRegistries = new Set<string>()
  return async (entry: LockEntry, locked: LockedVersion): Promise<Checked> => {
    const { registry, address } = entry
    const { version } = locked
    const named = labelOf({ address, version })
    if (unreachableRegistries.has(registry)) {
      return unreachable(named, `Could not reach ${registry} before.`)
    }
    try {
      const located = await locate({ registry, address, version, allowWithdrawn }, transport)
      const manifest = await manifestOf(located, transport)
      const { advice } = located
      if (manifest.digest === locked.digest) return { address: located.address, advice }
      return failed('digest', changesOf(named, registry, locked, manifest))
    } catch (error) {
      const message = messageOf(error)
      if (!isUnreachable(error)) return failed('withdrawn', [printable(message)])
      unreachableRegistries.add(registry)
      return unreachable(named, message)
    }
  }
}

const failed = (kind: 'withdrawn' | 'digest' | 'unreachable', lines: readonly string[]) => ({
  problem: { kind, lines },
})

const unreachable = (named: string, message: string) =>
  failed('unreachable', [`${named}, could not be checked: ${printable(message)}`])

function changesOf(
  named: string,
  registry: string,
  locked: LockedVersion,
  now: Manifest,
): string[] {
  const head = `${named}, has the digest ${now.digest} at ${registry}, but ${locked.digest} in skillpass.lock:`
  const [before, after] = [locked, now].map(
    ({ files }) => new Map(files.map((file) => [file.path, fileLine(file)])),
  )
  const paths = new Set([...(after?.keys() ?? []), ...(before?.keys() ?? [])])
  const lines = [...paths]
    .filter((path) => before?.get(path) !== after?.get(path))
    .map((path) => {
      const [is, was] = [after, before].map((lines) => lines?.get(path) ?? 'missing')
      return `  ${printable(path)} is ${is} instead of ${was}`
    })
  return [head, ...lines]
}
