import { z } from 'zod'
import { type Environment, variables } from './variables.ts'

/**
 * Parses all variables. Returns their values and a sentence for each problem that prevents a start.
 */
export function readVariables(environment: Environment = process.env) {
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const { data, error } = z.object(variables).safeParse(Object.fromEntries(given))
  const problems = error?.issues.map(({ path, message }) => `${String(path[0])} ${message}.`) ?? []
  if (environment.NODE_ENV === 'production') problems.push(...problemsInProduction(environment))
  return { values: data, problems }
}

/** The variable, service and display name of each public address. */
const addresses = [
  ['BASE_URL', 'registry', 'the registry'],
  ['AUTH_URL', 'oauth', 'the authorization service'],
  ['API_URL', 'platform', 'the resource API'],
] as const

function* problemsInProduction(environment: Environment): Generator<string> {
  if (!environment.ENCRYPTION_KEY) {
    yield 'ENCRYPTION_KEY must be set in production: generate it with `openssl rand -base64 32`, back it up, and use the same key on all nodes.'
  }
  const served = variables.SERVICES.safeParse(environment.SERVICES || undefined).data
  for (const [name, service, displayName] of addresses) {
    const given = environment[name]
    if (!given && served?.has(service)) {
      yield `${name} must be set in production: the https address at which people and apps reach ${displayName}.`
    }
    if (given && isPlainHttp(given)) {
      yield `${name} must be an https address in production; only localhost may use http.`
    }
  }
}

/** Whether traffic to the address could be read or changed on a network. */
function isPlainHttp(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:') return false
  return !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
}
