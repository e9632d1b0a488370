import { SkillpassError } from '../errors.ts'
import { UnauthorizedError } from '../generated/registry-errors.ts'
import { ValidationError } from '../registry-error.ts'
import { printable, type Terminal } from './command.ts'
import { fileErrorMessage, messageOf } from './errors.ts'

/** Formats an error with its remedy, without a stack trace. */
export function explained(error: unknown, { env }: Terminal): string {
  if (!(error instanceof SkillpassError)) {
    return fileErrorMessage(error) ?? messageOf(error)
  }
  const lines = [printable(error.message)]
  // The message already contains the first detail.
  if (error instanceof ValidationError && error.details.length > 1) {
    lines.push(...error.details.map(({ path, message }) => printable(`  ${path}: ${message}`)))
  }
  if (error instanceof UnauthorizedError) {
    const hint = env.SKILLPASS_API_KEY
      ? 'SKILLPASS_API_KEY was refused.'
      : 'SKILLPASS_API_KEY is not set.'
    lines.push(`  ${hint} To get a key, run "skillpass register USERNAME".`)
  }
  if (error.retryAfter !== undefined) lines.push(`  Try again in ${error.retryAfter} seconds.`)
  if (error.requestId) lines.push(`  Request id: ${printable(error.requestId)}`)
  return lines.join('\n')
}
