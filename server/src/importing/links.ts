import type { Dirent } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { versionControl } from '@skillpass/contract'
import { errorCode } from '../errors/error-code.ts'
import type { Refusal } from './types.ts'

/** Ends a walk with what a skill is refused for. */
export class Refused extends Error {
  readonly rule: string
  constructor(rule: string, message: string) {
    super(message)
    this.rule = rule
  }
}

/** Why something on the disk is not taken. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return { rule: error.rule, message: error.message }
  return { rule: 'unreadable', message: reason(error) }
}

/** The system's own word for why a file cannot be read, such as `EACCES` or `ENOENT`. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be read'
  return errorCode(error) || error.message
}

/**
 * Where the bytes of a file or folder are. A link must lead to a place within `root`, and not into version control;
 * `path` is what a refusal calls it.
 */
export async function realWithin(root: string, entry: Dirent, path: string): Promise<string> {
  const here = join(entry.parentPath, entry.name)
  if (!entry.isSymbolicLink()) return here
  const shown = JSON.stringify(path)
  const real = await realpath(here).catch(() => {
    throw new Refused('link-broken', `${shown} is a link that leads nowhere`)
  })
  const names = relative(root, real).split(sep)
  if (names[0] === '..' || join(root, ...names) !== real) {
    throw new Refused('link-outside', `${shown} is a link that leads out of the folder`)
  }
  if (names.some((name) => versionControl.has(name))) {
    throw new Refused('link-outside', `${shown} is a link into ${names[0]}`)
  }
  return real
}
