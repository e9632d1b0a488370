import {
  type OAuthErrorEntry,
  oauthErrors,
  type PlatformErrorEntry,
  platformErrors,
  registryErrors,
} from '@skillpass/contract'
import type { Response } from './responses.ts'
import { type Components, resolve } from './schemas.ts'

/**
 * Returns the shared error of a response, or undefined if the response is not an error. It has no
 * limit headers if operations without a rate limit share it.
 */
export function errorOf(components: Components, status: string, response: Response) {
  const media = response.content?.['application/json']
  if (!media?.schema) return undefined
  const schema = resolve(components, media.schema)
  const code = registryCodes.find((code) => String(registryErrors[code].status) === status)
  if (schema === components.OAuthError) return oauthError(status)
  if (schema === components.PlatformError) return platformError(status)
  const isRegistryError = code !== undefined && schema.properties && 'error' in schema.properties
  return isRegistryError
    ? { name: code, hasLimitHeaders: true, complete: withRemedy(code) }
    : undefined
}

const registryCodes = Object.keys(registryErrors).filter(
  (key): key is keyof typeof registryErrors => key in registryErrors,
)

/** Links a code to its remedy. */
const linkTo = (code: string) => `[${code}](/docs/errors#${code})`

const withRemedy = (code: string) => (response: Response) => ({
  ...response,
  description: `${linkTo(code)}: ${response.description}`,
})

function oauthError(status: string) {
  const rows = Object.values<OAuthErrorEntry>(oauthErrors).filter(isOf(status))
  const examples = rows.map(({ error, description, reason, code }) => ({
    code: String(code ?? error),
    summary: [error, code, description].filter((part) => part !== undefined).join(' · '),
    value: { error, error_description: description, reason, code },
  }))
  return { name: `OAuthError${status}`, hasLimitHeaders: false, complete: withExamples(examples) }
}

function platformError(status: string) {
  const rows = Object.values<PlatformErrorEntry>(platformErrors).filter(isOf(status))
  const examples = rows.map(({ code, error, message }) => ({
    code: String(code),
    summary: `${code} · ${message}`,
    value: { code, ...(error === undefined ? {} : { error }), message },
  }))
  return { name: `PlatformError${status}`, hasLimitHeaders: true, complete: withExamples(examples) }
}

const isOf =
  (wanted: string) =>
  ({ status }: { status: number }) =>
    String(status) === wanted

/**
 * Replaces the example of the schema with one example per error of the status. `code` is its
 * anchor.
 */
const withExamples =
  (examples: readonly { code: string; summary: string }[]) => (response: Response) => {
    const media = response.content?.['application/json']
    if (!media) return response
    const { example: _, ...rest } = media
    const named = Object.fromEntries(
      examples.map(({ code: _, ...shown }, i) => [`error${i + 1}`, shown]),
    )
    const description = examples
      .map(({ code, summary }) => `- ${summary.replace(code, linkTo(code))}`)
      .join('\n')
    return {
      ...response,
      description,
      content: { 'application/json': { ...rest, examples: named } },
    }
  }
