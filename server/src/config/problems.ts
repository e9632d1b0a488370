import { messageOf } from '../errors/message-of.ts'
import type { ServiceName } from './checks.ts'
import { type Environment, variables } from './variables.ts'

/** Everything that keeps a server from starting with these variables, a sentence each. */
export function problemsOf(environment: Environment = process.env): string[] {
  const wrong = Object.entries(variables).flatMap(([name, { default: byDefault, parse }]) => {
    const given = environment[name] || byDefault
    if (given === undefined) return []
    try {
      parse(given)
      return []
    } catch (error) {
      return [`${name} ${messageOf(error)}.`]
    }
  })
  const isProduction = environment.NODE_ENV === 'production'
  return isProduction ? [...wrong, ...problemsInProduction(environment)] : wrong
}

/** The address of each service, and what people call it. */
const addresses = [
  ['BASE_URL', 'registry', 'the registry'],
  ['AUTH_URL', 'oauth', 'the authorization service'],
  ['API_URL', 'platform', 'the resource API'],
] as const

function problemsInProduction(environment: Environment): string[] {
  const problems: string[] = []
  if (!environment.ENCRYPTION_KEY) {
    problems.push(
      'ENCRYPTION_KEY must be set in production: make it with `openssl rand -base64 32`, keep it safe, and give all nodes the same.',
    )
  }
  for (const [name, service, called] of addresses) {
    const given = environment[name]
    if (!given) {
      if (!serves(environment, service)) continue
      problems.push(
        `${name} must be set in production: the https address at which people and apps reach ${called}.`,
      )
    } else if (isPlainHttp(given)) {
      problems.push(`${name} must be an https address in production; only localhost may have http.`)
    }
  }
  return problems
}

function serves({ SERVICES }: Environment, service: ServiceName): boolean {
  const { default: all, parse } = variables.SERVICES
  try {
    return parse(SERVICES || all).has(service)
  } catch {
    // The value has a sentence of its own.
    return false
  }
}

/** Whether others could read and change what is sent there. */
function isPlainHttp(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:') return false
  return !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
}
