import { z } from 'zod'
import { type Environment, variables } from './variables.ts'

/** Returns the name, value (secrets masked), default and meaning of every variable. */
export function describeConfig(environment: Environment = process.env) {
  return Object.entries(variables).map(([name, variable]) => {
    const { description: meaning = '', secret } = variable.meta() ?? {}
    const byDefault = variable instanceof z.ZodPrefault ? String(variable.def.defaultValue) : ''
    const value = mask(environment[name] || byDefault, secret === true)
    return { name, value, default: byDefault, meaning }
  })
}

const hidden = '********'

/**
 * Matches names of secret URL parameters: `password`, `sslpassword`, `api_key`, `access_token` …
 */
const secretParameter = /pass|pwd|secret|token|key|auth|credential/i

/**
 * Masks the password, secret parameters and fragment of a URL, and the whole of any other secret.
 */
function mask(value: string, isSecret: boolean): string {
  if (value === '' || value.startsWith('file:')) return value
  if (!value.includes('://') || !URL.canParse(value)) return isSecret ? hidden : value
  const url = new URL(value)
  const names = new Set([...url.searchParams.keys()].filter((name) => secretParameter.test(name)))
  if (!url.password && !url.hash && names.size === 0) return value
  if (url.password) url.password = hidden
  if (url.hash) url.hash = hidden
  for (const name of names) url.searchParams.set(name, hidden)
  return url.href
}
