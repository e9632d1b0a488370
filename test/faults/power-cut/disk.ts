import { pick } from '../../support/random.ts'
import type { Operation } from './recording.ts'

/** A simulated disk that guarantees only synced data. */
export interface Disk {
  apply(operation: Operation): void
  /** Returns one possible state after a power cut, as contents by path. */
  afterPowerCut(random: () => number): Map<string, Buffer>
}

interface File {
  readonly path: string
  /** The synced content. */
  readonly content: Content
  /** Changes since the last sync, in order. */
  pending: Change[]
  /**
   * `isNamed`: the folder was synced after creation. `isUnlinked`: the file was unlinked, not yet
   * synced.
   */
  isNamed: boolean
  isUnlinked: boolean
}

/** The bytes of a file, in a buffer that may be larger than `size`. */
interface Content {
  bytes: Buffer
  size: number
}

type Change = Extract<Operation, { kind: 'write' | 'truncate' }>

/** Sizes that drives or file systems write atomically, in bytes. */
const sectorSizes = [512, 4096]

/** Shares of unsynced sectors that survive. */
const shares = [0, 0.1, 0.5, 0.9, 1]

/** Creates a disk with synced files. */
export function createDisk(initial: ReadonlyMap<string, Buffer>): Disk {
  const files = new Map<number, File>()

  function open({ file, path, isNew }: Extract<Operation, { kind: 'open' }>): void {
    const known = files.get(file)
    if (!isNew && known?.path === path) return
    const bytes = (!isNew && initial.get(path)) || Buffer.alloc(0)
    const content = contentOf(bytes, bytes.length)
    files.set(file, { path, content, pending: [], isNamed: !isNew, isUnlinked: false })
  }

  function sync(synced: File): void {
    synced.pending.reduce(change, synced.content)
    synced.pending = []
    for (const [id, file] of files) {
      if (!file.path.startsWith(`${synced.path}/`)) continue
      file.isNamed = true
      if (file.isUnlinked) files.delete(id)
    }
  }

  return {
    apply(operation) {
      if (operation.kind === 'open') return open(operation)
      const file = files.get(operation.file)
      if (!file) return
      if (operation.kind === 'sync') sync(file)
      else if (operation.kind === 'unlink') file.isUnlinked = true
      else file.pending.push(operation)
    },
    afterPowerCut(random) {
      const left = new Map<string, Buffer>()
      for (const { path, content, pending, isNamed, isUnlinked } of files.values()) {
        // SQLite rebuilds the shared memory during recovery.
        if (path.endsWith('-shm')) continue
        const isThere = isNamed && !isUnlinked ? true : random() < 0.5
        if (!isThere) continue
        const found = survivorsOf(pending, random).reduce(
          change,
          contentOf(content.bytes, content.size),
        )
        left.set(path, found.bytes.subarray(0, found.size))
      }
      return left
    },
  }
}

const contentOf = (bytes: Buffer, size: number): Content => ({ bytes: Buffer.from(bytes), size })

/**
 * Returns the unsynced changes that survive: the first ones with the last one torn, or random
 * sectors.
 */
function survivorsOf(pending: readonly Change[], random: () => number): Change[] {
  const sector = pick(sectorSizes, random) ?? 512
  const torn = (change: Change, share: number) =>
    (change.kind === 'write' ? sectorsOf(change, sector) : [change]).filter(() => random() < share)
  if (random() < 0.5) {
    const first = Math.floor(random() * (pending.length + 1))
    const last = pending[first]
    return [...pending.slice(0, first), ...(last ? torn(last, 0.5) : [])]
  }
  const share = pick(shares, random) ?? 0
  return pending.flatMap((change) => torn(change, share))
}

/** Splits a write at sector boundaries. */
function sectorsOf(write: Extract<Change, { kind: 'write' }>, sector: number): Change[] {
  const { offset, data } = write
  const parts: Change[] = []
  for (let start = 0; start < data.length; ) {
    const end = Math.min(data.length, start + sector - ((offset + start) % sector))
    parts.push({ ...write, offset: offset + start, data: data.subarray(start, end) })
    start = end
  }
  return parts
}

/** Applies a change to a content. Gaps are filled with zeros. */
function change(content: Content, change: Change): Content {
  const end = change.kind === 'truncate' ? change.size : change.offset + change.data.length
  if (end > content.bytes.length) {
    const larger = Buffer.alloc(2 * end)
    content.bytes.copy(larger)
    content.bytes = larger
  }
  if (change.kind === 'write') {
    change.data.copy(content.bytes, change.offset)
    content.size = Math.max(content.size, end)
  } else {
    content.bytes.fill(0, end)
    content.size = end
  }
  return content
}
