/** A named run of bytes that a snapshot keeps. */
export interface SnapshotPart {
  readonly name: string
  /** One view, or pages in their order, over bytes that do not change any more. */
  readonly bytes: Uint8Array | Iterable<Uint8Array>
  /** An id, unique in the world, under which these bytes are given again in later snapshots. */
  readonly immutable?: string
}

/** What some state in memory gives to be kept; `meta` is what JSON carries, and small. */
export interface Saved {
  readonly meta: unknown
  readonly parts: readonly SnapshotPart[]
}

/** A saved part read back, its bytes over memory that threads share. */
export interface Loaded {
  readonly meta: unknown
  readonly parts: ReadonlyMap<string, Uint8Array>
}

/** State in memory that snapshots keep. */
export interface Savable {
  /** The state of this instant. It is written while the state goes on, which copies before it changes. */
  save(): Saved
  /** Takes back what `save` gave, into an empty state. Throws when it does not fit together. */
  restore(loaded: Loaded): void | Promise<void>
}

/** Several states as one, each under its name; they are restored in the order given. */
export function together(states: Readonly<Record<string, Savable>>): Savable {
  const entries = Object.entries(states)
  return {
    save() {
      const saved = entries.map(([name, state]) => [name, state.save()] as const)
      return {
        meta: Object.fromEntries(saved.map(([name, { meta }]) => [name, meta])),
        parts: saved.flatMap(([name, { parts }]) =>
          parts.map((part) => ({ ...part, name: `${name}/${part.name}` })),
        ),
      }
    },
    async restore(loaded) {
      for (const [name, state] of entries) await state.restore(within(loaded, name))
    },
  }
}

/** What was saved of one of several states under its name. */
export function within({ meta, parts }: Loaded, name: string): Loaded {
  const prefix = `${name}/`
  const own = [...parts].filter(([part]) => part.startsWith(prefix))
  return {
    meta: metaOf(meta, name),
    parts: new Map(own.map(([part, bytes]) => [part.slice(prefix.length), bytes])),
  }
}

const metaOf = (meta: unknown, name: string): unknown =>
  typeof meta === 'object' && meta !== null ? new Map(Object.entries(meta)).get(name) : undefined
