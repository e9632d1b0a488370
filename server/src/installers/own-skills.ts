import { readFileSync } from 'node:fs'
import type { RegistryContext } from '../discovery/context.ts'
import { digestOf } from '../discovery/readmes.ts'
import { fail } from '../errors/failure.ts'
import { readInstalledFields } from '../skills/frontmatter/complete.ts'

/** A skill of the service itself: how to use it. */
export interface OwnSkill {
  readonly name: string
  readonly description: string
  readonly markdown: string
  readonly digest: string
}

/** The skills of the service itself; they are few, and the catalogue is not among them. */
const texts = ['skillpass', 'skillpass-publish', 'skillpass-feedback'].map((name) => ({
  name,
  text: readFileSync(new URL(`../../assets/skills/${name}/SKILL.md`, import.meta.url), 'utf8'),
}))

/** The skills of the service itself, which name the public address of this registry. */
export const ownSkills = ({ config }: Pick<RegistryContext, 'config'>): readonly OwnSkill[] =>
  texts.map(({ name, text }) => {
    const markdown = text.replaceAll('BASE_URL', config.baseUrl)
    const description = readInstalledFields(markdown)?.description ?? ''
    return { name, description, markdown, digest: digestOf(markdown) }
  })

/** A skill of the service by its name. Throws NOT_FOUND. */
export const ownSkill = (ctx: Pick<RegistryContext, 'config'>, name: string): OwnSkill =>
  ownSkills(ctx).find((skill) => skill.name === name) ??
  fail('NOT_FOUND', `The index names no skill ${name}.`)
