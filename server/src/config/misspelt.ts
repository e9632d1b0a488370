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
    const [nearest] = known
      .flatMap((other) => {
        const isAlias = !environment[other] && aliases.get(meant) === other
        const distance = isAlias ? 0 : distanceIfAlike(meant, other)
        return distance === undefined ? [] : [{ other, distance }]
      })
      .sort((a, b) => a.distance - b.distance)
    return nearest
      ? [`${name} is not a variable of the server. Did you mean ${nearest.other}?`]
      : []
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

/** How far two names are from each other; undefined if nobody would confuse them. */
function distanceIfAlike(name: string, known: string): number | undefined {
  const [words, knownWords] = [name.split('_'), known.split('_')]
  // RATE_LIMIT_READS, ACCESS_TOKEN_TTL: only the last words differ.
  const beginsAlike = words[0] === knownWords[0] && words[1] === knownWords[1]
  const mayBeAny = beginsAlike && words.length > 2 && knownWords.length > 2
  const slips = known.length < 10 ? 1 : known.length < 16 ? 2 : 3
  const most = mayBeAny ? longestName : slips
  const distance = distanceOf(name, known, most)
  return distance <= most ? distance : undefined
}

const longestName = 100
