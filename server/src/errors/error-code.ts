/** Returns the `code` of a system or driver error, such as `ENOENT`, or '' if it has no code. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
