import { chmod, mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { kindOf, makeFolders } from './folders.ts'

/** Bytes of a file and its mode. */
export interface StagedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly executable: boolean
}

/** A folder that takes the place of what is at its name; without files, what is there goes. */
interface Move {
  readonly base: string
  readonly name: string
  readonly isNew: boolean
  state: 'staged' | 'aside' | 'done'
}

/** Folders that are made beside their places and take them together. */
export interface Staging {
  /** Writes a folder beside its place. */
  stage(base: string, name: string, files: AsyncIterable<StagedFile>): Promise<void>
  /** Notes that what is at a place goes. */
  remove(base: string, name: string): Promise<void>
  /** Puts everything in its place; what was there stays aside until `finish`. */
  swap(): Promise<void>
  /** Removes what was there before. */
  finish(): Promise<void>
  /** Puts back what was there before, and leaves nothing of the new. */
  undo(): Promise<void>
}

const prefix = '.skillpass-'

/** A staging for the folders of a project; it lies beside them, so that a rename is enough. */
export function openStaging(project: string): Staging {
  const moves: Move[] = []
  const made: string[] = []
  const own = `${prefix}${process.pid}`
  const aside = ({ base, name }: Move, what: 'new' | 'old') => join(base, own, name, what)
  const begin = async (base: string, name: string, isNew: boolean) => {
    made.push(...(await makeFolders(project, join(base, own, name))))
    const move: Move = { base, name, isNew, state: 'staged' }
    moves.push(move)
    return move
  }
  const clear = async () => {
    for (const base of new Set(moves.map(({ base }) => base))) {
      await rm(join(base, own), { recursive: true, force: true })
    }
  }
  return {
    async stage(base, name, files) {
      const folder = aside(await begin(base, name, true), 'new')
      await mkdir(folder)
      for await (const file of files) await writeStaged(folder, file)
    },
    async remove(base, name) {
      await begin(base, name, false)
    },
    async swap() {
      for (const move of moves) {
        const place = join(move.base, move.name)
        if ((await kindOf(place)) !== undefined) await rename(place, aside(move, 'old'))
        move.state = 'aside'
        if (move.isNew) await rename(aside(move, 'new'), place)
        move.state = 'done'
      }
    },
    finish: clear,
    async undo() {
      for (const move of moves.toReversed()) {
        const place = join(move.base, move.name)
        if (move.state === 'done' && move.isNew) await rename(place, aside(move, 'new'))
        if (move.state !== 'staged' && (await kindOf(aside(move, 'old'))) !== undefined) {
          await rename(aside(move, 'old'), place)
        }
      }
      await clear()
      // Only those that are empty go: somebody may use them by now.
      for (const folder of made.toReversed()) await rmdir(folder).catch(() => undefined)
    },
  }
}

async function writeStaged(folder: string, { path, bytes, executable }: StagedFile) {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, bytes, { flag: 'wx' })
  // Whatever the umask is.
  await chmod(file, executable ? 0o755 : 0o644)
}

/** After this long a staging is taken for left behind, even if its process id is in use again. */
const longestRun = 3_600_000

/**
 * Clears up what a run left behind that was killed: what it had put aside comes back where nothing has
 * taken its place, or where `isLocked` says that it, not the new folder, is what the lock names.
 */
export async function recover(
  base: string,
  isLocked: (name: string, folder: string) => Promise<boolean>,
): Promise<void> {
  const entries = await readdir(base).catch(() => [])
  for (const entry of entries.filter((name) => /^\.skillpass-\d+$/.test(name))) {
    const staging = join(base, entry)
    // A link of this name is none of ours, and could lead anywhere.
    if ((await kindOf(staging)) !== 'folder') continue
    const { mtimeMs } = await stat(staging)
    const isAlive = isRunning(Number(entry.slice(prefix.length)))
    if (isAlive && Date.now() - mtimeMs < longestRun) continue
    for (const name of await readdir(staging)) {
      const place = join(base, name)
      const old = join(staging, name, 'old')
      if ((await kindOf(join(staging, name))) !== 'folder') continue
      if ((await kindOf(old)) === undefined) continue
      const isVacant = (await kindOf(place)) === undefined
      if (!isVacant && (!(await isLocked(name, old)) || (await isLocked(name, place)))) continue
      if (!isVacant) await rename(place, join(staging, name, 'dropped'))
      await rename(old, place)
    }
    await rm(staging, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
