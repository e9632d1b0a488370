import { fileErrorMessage } from '../contract/terminal-text.ts'
import { SkillpassError } from '../errors.ts'
import { UnauthorizedError } from '../generated/registry-errors.ts'
import { ValidationError } from '../registry-error.ts'
import { printable, type Terminal, UsageError } from './command.ts'
import { messageOf } from './errors.ts'
import { credentialFor, registryOf } from './logins.ts'

/** Formats an error with its remedy, without a stack trace. */
export function explained(error: unknown, terminal: Terminal): string {
  if (!(error instanceof SkillpassError)) {
    return fileErrorMessage(error) ?? messageOf(error)
  }
  const lines = [printable(error.message)]
  // The message already contains the first detail.
  if (error instanceof ValidationError && error.details.length > 1) {
    lines.push(...error.details.map(({ path, message }) => printable(`  ${path}: ${message}`)))
  }
  if (error instanceof UnauthorizedError) {
    const from = credentialFor(terminal, registryOf(terminal))?.from
    const problem = from ? `The key of ${from} was refused.` : 'You are not logged in.'
    lines.push(`  ${problem} Run "skillpass login", or "skillpass register USERNAME --save".`)
  }
  if (error.retryAfter !== undefined) lines.push(`  Try again in ${error.retryAfter} seconds.`)
  if (error.requestId) lines.push(`  Request id: ${printable(error.requestId)}`)
  return lines.join('\n')
}

/**
 * Returns the properties of an error that `--json` prints. The command has no code for its own
 * failures.
 */
export function describeError(error: unknown) {
  if (!(error instanceof SkillpassError)) {
    const code = error instanceof UsageError ? 'usage' : 'failed'
    return { code, message: fileErrorMessage(error) ?? messageOf(error) }
  }
  const { code, message, retryAfter, requestId } = error
  const details = error instanceof ValidationError ? error.details : undefined
  return { code, message, details, retryAfter, requestId }
}
