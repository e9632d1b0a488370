const reasons = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EEXIST', 'there is already something of this name'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
])

/** What went wrong with a file, in a sentence; undefined where the error is not about one. */
export function fileTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const reason = reasons.get(String(error.code)) ?? String(error.code)
  const act = 'syscall' in error && error.syscall === 'mkdir' ? 'create the folder' : 'open'
  return `Could not ${act} ${String(error.path)}: ${reason}.`
}

/** Whether an error of the system has this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** For `catch`: undefined if there is no such file; throws any other error. */
export function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
