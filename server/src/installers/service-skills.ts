import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { fail } from '../errors/failure.ts'
import { type ClientSource, clientAddress } from '../runtime/limits/client-address.ts'
import { digestOf } from '../text/digest.ts'
import { readInstalledFields } from '../text/skill-file/complete.ts'

export interface ServiceSkill {
  readonly name: string
  readonly description: string
  readonly markdown: string
  readonly digest: string
}

/** The service's own skills. They are not in the catalogue. */
const texts = ['skillpass', 'skillpass-publish', 'skillpass-feedback'].map((name) => ({
  name,
  text: readFileSync(new URL(`../../assets/skills/${name}/SKILL.md`, import.meta.url), 'utf8'),
}))

/** Returns the service's own skills with the public URL of this registry. */
export const serviceSkills = ({ config }: RegistryContext): readonly ServiceSkill[] =>
  texts.map(({ name, text }) => {
    const markdown = text.replaceAll('BASE_URL', config.baseUrl)
    const description = readInstalledFields(markdown)?.description ?? ''
    return { name, description, markdown, digest: digestOf(markdown) }
  })

/** Returns one of the service's own skills. Throws NOT_FOUND. */
export const serviceSkill = (ctx: RegistryContext, name: string): ServiceSkill =>
  serviceSkills(ctx).find((skill) => skill.name === name) ??
  fail('NOT_FOUND', `The index has no skill ${name}.`)

/** Time within which an installer falls back to the root index, in ms. */
const fallbackTime = 5_000

type Client = ClientSource & { readonly headers: IncomingHttpHeaders }

/** Records that a client requested the index of an owner, repository or skill and was refused. */
export function recordRefusal({ refusedClients, clock }: RegistryContext, req: Client): void {
  refusedClients.set(clientOf(req), clock.monotonic())
}

/**
 * Returns whether a client was just refused an index. `npx skills` 1.5.18 then requests the root
 * index and would install skills from it instead of the one its user named.
 */
export function wasJustRefused({ refusedClients, clock }: RegistryContext, req: Client): boolean {
  const time = refusedClients.get(clientOf(req))
  return time !== undefined && clock.monotonic() - time < fallbackTime
}

/** Distinguishes programs behind one address. */
const clientOf = (req: Client): string =>
  `${clientAddress(req)} ${req.headers['user-agent']?.slice(0, 200)}`
