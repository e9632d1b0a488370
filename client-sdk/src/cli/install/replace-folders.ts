import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../errors.ts'
import { kindOf } from './folders.ts'

/** A file to write. */
export interface StagedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly executable: boolean
}

/** Replacement for the folder `base/name`. Without files, the folder is removed. */
export interface Replacement {
  readonly base: string
  readonly name: string
  readonly files?: AsyncIterable<StagedFile>
}

const prefix = '.skillpass-'

/**
 * Stages all folders next to their destinations, renames them into place, and then runs `commit`.
 * If anything fails, restores the old folders and removes new base folders. If the process is
 * killed, each folder is old, new or missing, but never incomplete.
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
      await removeStale(base)
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
    // A base folder that another run uses is not empty, so rmdir fails and keeps it.
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
    // Set the mode explicitly, since the umask may restrict it.
    await chmod(file, executable ? 0o755 : 0o644)
  }
}

/** Removes the staging folders of killed runs. */
async function removeStale(base: string) {
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
