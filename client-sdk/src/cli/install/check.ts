import type { Wire } from '../../transport.ts'
import { plain } from '../command.ts'
import { messageOf } from '../errors.ts'
import type { LockEntry, LockedVersion } from './lock.ts'
import { fileLine, type Manifest } from './manifest.ts'
import { isUnreachable, locate, manifestOf, namedOf } from './source.ts'

/** What a registry says of a version that the lock names, where that is not what the lock says. */
export interface Objection {
  readonly kind: 'withdrawn' | 'digest' | 'unreachable'
  readonly lines: readonly string[]
}

/** What a registry says of a version that the lock names. */
export interface Checked {
  /** Where the skill is now; undefined where the registry has not told. */
  readonly address?: string
  readonly objection?: Objection
}

/** Asks registries whether they still hand out what a lock names; one that is dead is asked once. */
export function registryCheck(wire: Wire) {
  const dead = new Map<string, string>()
  return async (entry: LockEntry, locked: LockedVersion): Promise<Checked> => {
    const { registry, address } = entry
    const { version } = locked
    const named = namedOf({ address, version })
    const known = dead.get(registry)
    if (known !== undefined) return unreachable(named, known)
    try {
      const located = await locate({ registry, address, version }, wire)
      const manifest = await manifestOf(located, wire)
      if (manifest.digest === locked.digest) return { address: located.address }
      const lines = changesOf(named, registry, locked, manifest)
      return { objection: { kind: 'digest', lines } }
    } catch (error) {
      const message = messageOf(error)
      if (!isUnreachable(error))
        return { objection: { kind: 'withdrawn', lines: [plain(message)] } }
      dead.set(registry, message)
      return unreachable(named, message)
    }
  }
}

const unreachable = (named: string, message: string): Checked => ({
  objection: {
    kind: 'unreachable',
    lines: [`${named}, could not be checked: ${plain(message)}`],
  },
})

function changesOf(
  named: string,
  registry: string,
  locked: LockedVersion,
  now: Manifest,
): string[] {
  const head = `${named}, has the digest ${now.digest} at ${registry}, and ${locked.digest} in the lock:`
  const [before, after] = [locked, now].map(
    ({ files }) => new Map(files.map((file) => [file.path, fileLine(file)])),
  )
  const paths = new Set([...(after?.keys() ?? []), ...(before?.keys() ?? [])])
  const lines = [...paths]
    .filter((path) => before?.get(path) !== after?.get(path))
    .map((path) => {
      const [is, was] = [after, before].map((lines) => lines?.get(path) ?? 'not there')
      return `  ${plain(path)} is ${is} instead of ${was}`
    })
  return [head, ...lines]
}
