/** Returns whether an error has this system code, for example `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** For `catch`: returns undefined if the file does not exist. Throws any other error. */
export function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
