import { Resolver } from 'node:dns/promises'
import type { Context } from '../context/context.ts'
import { errorCode } from '../errors/error-code.ts'
import { sendRequest } from '../outbound/post.ts'
import { traceHeaders } from '../runtime/traceparent.ts'

/** What stands where a token is to be published: lines, or why there are none. */
export type Evidence = { readonly lines: readonly string[] } | { readonly missing: string }

type Looking = Pick<Context, 'config' | 'trace'>

export const fileLocation = (
  { config }: Pick<Context, 'config'>,
  owner: string,
  repo: string,
): string =>
  config.verification.fileUrl
    .replaceAll('{owner}', encodeURIComponent(owner))
    .replaceAll('{repo}', encodeURIComponent(repo))

export const recordLocation = (domain: string): string => `_skillpass-challenge.${domain}`

/**
 * Reads the file. It must stand at this very address: a redirect is not followed, since the one who
 * chooses where it leads need not own the repository.
 */
export async function readFileEvidence(ctx: Looking, url: string): Promise<Evidence> {
  const got = await sendRequest({
    url,
    headers: {
      Accept: 'text/plain',
      'User-Agent': 'Skillpass-Verification/1',
      ...traceHeaders(ctx.trace),
    },
    allowsPrivate: ctx.config.allowsPrivateWebhooks,
  })
  if (got.kind !== 'answered') return { missing: got.reason }
  if (got.status !== 200) return { missing: `The answer is ${got.status}; it must be 200.` }
  return { lines: got.text.split('\n') }
}

/** How long a DNS server has, ms, and how often it is asked. */
const patience = { timeout: 2000, tries: 2 }

export async function readDnsEvidence({ config }: Looking, name: string): Promise<Evidence> {
  const resolver = new Resolver(patience)
  const { dnsServers } = config.verification
  if (dnsServers) resolver.setServers([...dnsServers])
  try {
    return { lines: (await resolver.resolveTxt(name)).map((parts) => parts.join('')) }
  } catch (error) {
    const isMissing = ['ENOTFOUND', 'ENODATA'].includes(errorCode(error))
    return {
      missing: isMissing ? 'There is no such TXT record.' : 'The name server did not answer.',
    }
  }
}
