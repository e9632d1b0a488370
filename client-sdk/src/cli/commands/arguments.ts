import { UsageError } from '../command.ts'

/** Options of commands, and how what they are given is read. */

export const text = { type: 'string' } as const
export const flag = { type: 'boolean', default: false } as const

/** `OWNER/REPO/SKILL`, in its parts. Throws `UsageError`. */
export function addressFrom(text: string) {
  const [owner, repo, skill, ...rest] = text.split('/')
  if (!owner || !repo || !skill || rest.length > 0) {
    throw new UsageError(`"${text}" is not of the form OWNER/REPO/SKILL.`)
  }
  return { owner, repo, skill }
}

/** A version or another count. Throws `UsageError`. */
export function numberFrom(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${option} takes a whole number from 1.`)
  return Number(text)
}
