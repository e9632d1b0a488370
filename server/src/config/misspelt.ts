import { distanceOf } from '../names/closest.ts'
import { type Environment, variables } from './variables.ts'

/**
 * A sentence for each variable that the server does not know and whose name resembles one that it
 * knows, which is named.
 */
export function misspelt(environment: Environment = process.env): string[] {
  const known = Object.keys(variables)
  return Object.entries(environment).flatMap(([name, value]) => {
    if (known.includes(name) || belongsToOthers(name, value)) return []
    const meant = name.toUpperCase().replace(/^SKILLPASS_/, '')
    const alias = aliases.get(meant)
    const nearest =
      alias && !environment[alias] ? alias : known.find((other) => isAlike(meant, other))
    return nearest ? [`${name} is not a variable of the server. Did you mean ${nearest}?`] : []
  })
}

/** What others call our variables; no slip where ours is set too. */
const aliases = new Map([
  ['APP_URL', 'BASE_URL'],
  ['DB_URL', 'DATABASE_URL'],
  ['NODE_ENVIRONMENT', 'NODE_ENV'],
  ['PUBLIC_URL', 'BASE_URL'],
])

/** OpenTelemetry's own packages read theirs; Kubernetes sets `SKILLPASS_PORT` for a service of the name `skillpass`. */
const belongsToOthers = (name: string, value = '') =>
  name.startsWith('OTEL_') || value.startsWith('tcp://')

/** Whether a name has a few letters wrong, or is the beginning of one with several words. */
function isAlike(name: string, known: string): boolean {
  const slips = Math.ceil(known.length / 8)
  const isBeginning = name.split('_').length > 2 && known.startsWith(name)
  return isBeginning || distanceOf(name, known, slips) <= slips
}
