/** The code that the system or a driver gave an error, such as `ENOENT`, or '' when there is none. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
