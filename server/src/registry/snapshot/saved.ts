/** A named run of bytes that a snapshot keeps. */
export interface SnapshotPart {
  readonly name: string
  /** One view, or pages in their order. Bytes that may change are copied just before they are written. */
  readonly bytes: Uint8Array | readonly Uint8Array[]
  /** Set when the bytes never change: under this id, unique in the world, a file keeps them for good. */
  readonly immutable?: string
}

/** What some state in memory gives to be kept; `meta` is anything that JSON carries. */
export interface Saved {
  readonly meta: unknown
  readonly parts: readonly SnapshotPart[]
}

/** The same read back, its bytes over memory that threads share. */
export interface Loaded {
  readonly meta: unknown
  readonly parts: ReadonlyMap<string, Uint8Array>
  /**
   * Revision up to which every change is in it. Some later ones may be, in part: what is of a later
   * revision is left out, for every change after this one is applied again.
   */
  readonly revision: number
}

/** State in memory that snapshots keep. */
export interface Savable {
  /** Views of the state, at once; mutable bytes may still change while they are being written. */
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
    async restore({ meta, parts, revision }) {
      for (const [name, state] of entries) {
        const prefix = `${name}/`
        const own = [...parts].filter(([part]) => part.startsWith(prefix))
        await state.restore({
          meta: metaOf(meta, name),
          parts: new Map(own.map(([part, bytes]) => [part.slice(prefix.length), bytes])),
          revision,
        })
      }
    },
  }
}

const metaOf = (meta: unknown, name: string): unknown =>
  typeof meta === 'object' && meta !== null ? new Map(Object.entries(meta)).get(name) : undefined
