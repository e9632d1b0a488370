const reasons = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EEXIST', 'it already exists'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'it is a symbolic link to itself'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
])

/** Returns a sentence about a file system error; undefined for any other error. */
export function fileErrorMessage(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const reason = reasons.get(String(error.code)) ?? String(error.code)
  const act = 'syscall' in error && error.syscall === 'mkdir' ? 'create the folder' : 'open'
  return `Could not ${act} ${String(error.path)}: ${reason}.`
}

/** Returns whether an error has this system code, for example `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** For `catch`: returns undefined if the file does not exist. Throws any other error. */
export function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
