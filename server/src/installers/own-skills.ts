import { readFileSync } from 'node:fs'
import type { RegistryContext } from '../discovery/context.ts'
import { digestOf } from '../discovery/readmes.ts'
import { fail } from '../errors/failure.ts'
import { readInstalledFields } from '../skills/frontmatter/complete.ts'

export interface OwnSkill {
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
export const ownSkills = ({ config }: Pick<RegistryContext, 'config'>): readonly OwnSkill[] =>
  texts.map(({ name, text }) => {
    const markdown = text.replaceAll('BASE_URL', config.baseUrl)
    const description = readInstalledFields(markdown)?.description ?? ''
    return { name, description, markdown, digest: digestOf(markdown) }
  })

/** Returns one of the service's own skills. Throws NOT_FOUND. */
export const ownSkill = (ctx: Pick<RegistryContext, 'config'>, name: string): OwnSkill =>
  ownSkills(ctx).find((skill) => skill.name === name) ??
  fail('NOT_FOUND', `The index has no skill ${name}.`)
