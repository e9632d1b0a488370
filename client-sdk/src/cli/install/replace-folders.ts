import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../errors.ts'
import { kindOf } from './folders.ts'

/** Bytes of a file and its mode. */
export interface StagedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly executable: boolean
}

/** A folder that takes the place of what is at `base/name`. Without files, what is there is removed. */
export interface Replacement {
  readonly base: string
  readonly name: string
  readonly files?: AsyncIterable<StagedFile>
}

const prefix = '.skillpass-'

/**
 * Writes folders beside their places, renames all of them into place, and then runs `commit`. If anything
 * fails, the former folders come back, and new bases are removed. A kill leaves each folder old, new or
 * missing, never half of one.
 */
export async function replaceFolders(
  replacements: readonly Replacement[],
  commit: () => Promise<void>,
): Promise<void> {
  const stagings: string[] = []
  const undo: (() => Promise<unknown>)[] = []
  const made: string[] = []
  const clear = async () => {
    for (const path of stagings) await rm(path, { recursive: true, force: true })
  }
  try {
    for (const { base, files } of replacements) {
      const top = await mkdir(base, { recursive: true })
      for (let path = base; top && path.length >= top.length; path = dirname(path)) made.push(path)
      await clearLeft(base)
      const staging = await mkdtemp(join(base, `${prefix}${process.pid}-`))
      stagings.push(staging)
      if (files) await writeFolder(join(staging, 'new'), files)
    }
    for (const [at, { base, name, files }] of replacements.entries()) {
      const place = join(base, name)
      const aside = (what: string) => join(stagings[at] ?? '', what)
      if ((await kindOf(place)) !== undefined) {
        await rename(place, aside('old'))
        undo.push(() => rename(aside('old'), place))
      }
      if (!files) continue
      await rename(aside('new'), place)
      undo.push(() => rename(place, aside('new')))
    }
    await commit()
  } catch (error) {
    for (const step of undo.toReversed()) await step()
    await clear()
    // One that another run uses meanwhile is not empty, and stays.
    for (const path of made.sort().reverse()) await rmdir(path).catch(() => {})
    throw error
  }
  await clear()
}

async function writeFolder(folder: string, files: AsyncIterable<StagedFile>) {
  for await (const { path, bytes, executable } of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes, { flag: 'wx' })
    // Whatever the umask is.
    await chmod(file, executable ? 0o755 : 0o644)
  }
}

/** Removes what killed runs have left. */
async function clearLeft(base: string) {
  for (const name of await readdir(base)) {
    const [, pid] = /^\.skillpass-(\d+)-/.exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    await rm(join(base, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
