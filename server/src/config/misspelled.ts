import { distanceOf } from '@skillpass/contract'
import { type Environment, variables } from './variables.ts'

/**
 * Returns a sentence for each unknown variable whose name resembles a known one. With `isCertain`,
 * leaves out names that other software may use: those that resemble one word such as `PORT`, or a
 * variable that is set too.
 */
export function findMisspelled({
  environment = process.env as Environment,
  isCertain = false,
} = {}): string[] {
  const known = Object.keys(variables).filter((name) => !isCertain || name.includes('_'))
  return Object.entries(environment).flatMap(([name, value]) => {
    if (name in variables || isForeign(name, value)) return []
    const meant = name.toUpperCase().replace(/^SKILLPASS_/, '')
    const alias = aliases.get(meant)
    if (isCertain && (alias || name !== name.toUpperCase())) return []
    const nearest =
      alias && !environment[alias] ? alias : known.find((other) => isAlike(meant, other))
    if (nearest === undefined || (isCertain && environment[nearest])) return []
    return [`${name} is not a variable of the server. Did you mean ${nearest}?`]
  })
}

/** Common names in other software. Not a mistake if our variable is set too. */
const aliases = new Map([
  ['APP_URL', 'BASE_URL'],
  ['DB_URL', 'DATABASE_URL'],
  ['NODE_ENVIRONMENT', 'NODE_ENV'],
  ['PUBLIC_URL', 'BASE_URL'],
])

/**
 * True for OpenTelemetry's variables and for those that Kubernetes sets for a service named
 * `skillpass`.
 */
const isForeign = (name: string, value = '') =>
  name.startsWith('OTEL_') || value.startsWith('tcp://')

/** Whether a name is misspelled by a few letters, or is the first words of a longer one. */
function isAlike(name: string, known: string): boolean {
  const slips = Math.ceil(known.length / 8)
  const isBeginning = name.split('_').length > 2 && known.startsWith(name)
  return isBeginning || distanceOf(name, known, slips) <= slips
}
