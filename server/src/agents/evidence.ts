import { Resolver } from 'node:dns/promises'
import type { Context } from '../context/context.ts'
import { errorCode } from '../errors/error-code.ts'
import { sendRequest } from '../outbound/post.ts'
import { traceHeaders } from '../runtime/traceparent.ts'

/** Lines of the place where a token should be published, or why they cannot be read. */
export type Evidence = { readonly lines: readonly string[] } | { readonly missing: string }

type EvidenceContext = Pick<Context, 'config' | 'trace'>

export const fileLocation = ({ config }: Pick<Context, 'config'>, owner: string, repo: string) =>
  config.verification.fileUrl
    .replaceAll('{owner}', encodeURIComponent(owner))
    .replaceAll('{repo}', encodeURIComponent(repo))

export const recordLocation = (domain: string): string => `_skillpass-challenge.${domain}`

/** Follows no redirects: their target may not belong to the repository's owner. */
export async function readFileEvidence(ctx: EvidenceContext, url: string): Promise<Evidence> {
  const response = await sendRequest({
    url,
    headers: {
      Accept: 'text/plain',
      'User-Agent': 'Skillpass-Verification/1',
      ...traceHeaders(ctx.trace),
    },
    allowsPrivate: ctx.config.allowsPrivateWebhooks,
  })
  if (response.kind !== 'answered') return { missing: response.reason }
  if (response.status !== 200)
    return { missing: `The response status is ${response.status}, but 200 is required.` }
  return { lines: response.text.split('\n') }
}

/** Timeout of a DNS query in ms, and number of attempts. */
const dnsOptions = { timeout: 2000, tries: 2 }

export async function readDnsEvidence(
  { config }: EvidenceContext,
  name: string,
): Promise<Evidence> {
  const resolver = new Resolver(dnsOptions)
  const { dnsServers } = config.verification
  if (dnsServers) resolver.setServers([...dnsServers])
  try {
    return { lines: (await resolver.resolveTxt(name)).map((parts) => parts.join('')) }
  } catch (error) {
    const isMissing = ['ENOTFOUND', 'ENODATA'].includes(errorCode(error))
    return {
      missing: isMissing ? 'There is no such TXT record.' : 'The DNS server did not respond.',
    }
  }
}
