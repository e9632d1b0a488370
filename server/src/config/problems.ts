import { z } from 'zod'
import { type Environment, variables } from './variables.ts'

/** The values of all variables, and a sentence for each problem that keeps a server from starting. */
export function readVariables(environment: Environment = process.env) {
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const { data, error } = z.object(variables).safeParse(Object.fromEntries(given))
  const problems = error?.issues.map(({ path, message }) => `${String(path[0])} ${message}.`) ?? []
  if (environment.NODE_ENV === 'production') problems.push(...problemsInProduction(environment))
  return { values: data, problems }
}

/** The address of each service, and its name in sentences. */
const addresses = [
  ['BASE_URL', 'registry', 'the registry'],
  ['AUTH_URL', 'oauth', 'the authorization service'],
  ['API_URL', 'platform', 'the resource API'],
] as const

function* problemsInProduction(environment: Environment): Generator<string> {
  if (!environment.ENCRYPTION_KEY) {
    yield 'ENCRYPTION_KEY must be set in production: make it with `openssl rand -base64 32`, keep it safe, and give all nodes the same.'
  }
  const served = variables.SERVICES.safeParse(environment.SERVICES || undefined).data
  for (const [name, service, called] of addresses) {
    const given = environment[name]
    if (!given && served?.has(service)) {
      yield `${name} must be set in production: the https address at which people and apps reach ${called}.`
    }
    if (given && isPlainHttp(given)) {
      yield `${name} must be an https address in production; only localhost may have http.`
    }
  }
}

/** Whether others could read and change what is sent there. */
function isPlainHttp(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:') return false
  return !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
}
