import type { Dirent } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { versionControl } from '@skillpass/contract'
import { errorCode } from '../errors/error-code.ts'
import type { Refusal } from './types.ts'

/** Stops a walk with the refusal of a skill. */
export class Refused extends Error {
  readonly rule: string
  constructor(rule: string, message: string) {
    super(message)
    this.rule = rule
  }
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return { rule: error.rule, message: error.message }
  return { rule: 'unreadable', message: reason(error) }
}

/** Returns the system's error code, such as `EACCES` or `ENOENT`, or the message. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be read'
  return errorCode(error) || error.message
}

/**
 * Returns the real path of an entry. A link must lead to a place within `root` and outside version
 * control. `path` is shown in refusals.
 */
export async function realWithin(root: string, entry: Dirent, path: string): Promise<string> {
  const here = join(entry.parentPath, entry.name)
  if (!entry.isSymbolicLink()) return here
  const quoted = JSON.stringify(path)
  const real = await realpath(here).catch(() => {
    throw new Refused('link-broken', `${quoted} is a broken link`)
  })
  const names = relative(root, real).split(sep)
  if (names[0] === '..' || join(root, ...names) !== real) {
    throw new Refused('link-outside', `${quoted} is a link to a place outside the folder`)
  }
  if (names.some((name) => versionControl.has(name))) {
    throw new Refused('link-outside', `${quoted} is a link into ${names[0]}`)
  }
  return real
}
