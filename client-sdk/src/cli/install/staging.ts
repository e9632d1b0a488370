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
  const aside = ({ base, name }: Move, what: 'new' | 'old' | 'gone') => join(base, own, name, what)
  const former = (move: Move) => aside(move, move.isNew ? 'old' : 'gone')
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
        if ((await kindOf(place)) !== undefined) await rename(place, former(move))
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
        if (move.state !== 'staged' && (await kindOf(former(move))) !== undefined) {
          await rename(former(move), place)
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

/** What the lock says of names and folders. */
export interface LockWord {
  isNamed(name: string): boolean
  /** Whether a folder is what the lock has of this name. */
  isLocked(name: string, folder: string): Promise<boolean>
}

/**
 * Clears up what runs left behind that were killed. What was put aside comes back where nothing has taken
 * its place, and where it, not what did, is what the lock names; what was removed comes back while the lock
 * still names it.
 */
export async function recover(base: string, lock: LockWord): Promise<void> {
  const entries = await readdir(base).catch(() => [])
  for (const entry of entries.filter((name) => /^\.skillpass-\d+$/.test(name))) {
    const staging = join(base, entry)
    // A link of this name is none of ours, and could lead anywhere.
    if ((await kindOf(staging)) !== 'folder') continue
    const { mtimeMs } = await stat(staging)
    const isAlive = isRunning(Number(entry.slice(prefix.length)))
    if (isAlive && Date.now() - mtimeMs < longestRun) continue
    for (const name of await readdir(staging)) {
      if ((await kindOf(join(staging, name))) === 'folder') await putBack(base, staging, name, lock)
    }
    await rm(staging, { recursive: true, force: true })
  }
}

async function putBack(base: string, staging: string, name: string, lock: LockWord) {
  const place = join(base, name)
  const aside = (what: string) => join(staging, name, what)
  const isVacant = (await kindOf(place)) === undefined
  if (isVacant && (await kindOf(aside('gone'))) !== undefined && lock.isNamed(name)) {
    return rename(aside('gone'), place)
  }
  if ((await kindOf(aside('old'))) === undefined) return
  if (isVacant) return rename(aside('old'), place)
  if ((await lock.isLocked(name, place)) || !(await lock.isLocked(name, aside('old')))) return
  await rename(place, aside('dropped'))
  await rename(aside('old'), place)
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
