import type { RegistryContext } from '../discovery/context.ts'
import { digestOf } from '../discovery/readmes.ts'
import { fail } from '../errors/failure.ts'
import { ownTexts } from './own-texts.ts'

/** A skill of the service itself: how to use it. */
export interface OwnSkill {
  readonly name: string
  readonly description: string
  readonly markdown: string
  readonly digest: string
}

/** The skills of the service itself. */
export const ownSkills = ({ config }: Pick<RegistryContext, 'config'>): readonly OwnSkill[] =>
  ownTexts.map(({ name, description, body }) => {
    const head = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`
    const markdown = `${head}\n${body(config.baseUrl)}`
    return { name, description, markdown, digest: digestOf(markdown) }
  })

/** A skill of the service by its name. Throws NOT_FOUND. */
export const ownSkill = (ctx: Pick<RegistryContext, 'config'>, name: string): OwnSkill =>
  ownSkills(ctx).find((skill) => skill.name === name) ??
  fail('NOT_FOUND', `The index names no skill ${name}.`)
