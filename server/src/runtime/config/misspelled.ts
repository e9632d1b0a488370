import { distanceOf } from '@skillpass/contract'
import type { Config } from './config.ts'
import { type Environment, variables } from './variables.ts'

/**
 * Returns a sentence for each unknown variable whose name resembles a known one. With `stopsIn`,
 * only for those that stop a start there: in production, those that other software is unlikely to
 * use, and elsewhere those of `NODE_ENV`, without which production would be open.
 */
export function findMisspelled(
  environment: Environment,
  stopsIn?: Config['environment'],
): string[] {
  const isCertain = stopsIn !== undefined
  const known = Object.keys(variables).filter((name) =>
    stopsIn === 'production' ? !/^(PORT|HOST)$/.test(name) : !isCertain || name === 'NODE_ENV',
  )
  return Object.entries(environment).flatMap(([name, value]) => {
    if (name in variables || isForeign(name, value)) return []
    const meant = name
      .toUpperCase()
      .replace(/^SKILLPASS_/, '')
      .replace(/IES$/, 'Y')
    const alias = aliases.get(meant)
    if (isCertain && alias && alias !== 'NODE_ENV') return []
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
