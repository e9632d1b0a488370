import type { RegistryContext } from '../discovery/context.ts'
import { digestOf } from '../discovery/readmes.ts'
import { fail } from '../errors/failure.ts'
import { feedbackSkill } from './skills/feedback.ts'
import type { OwnText } from './skills/own-text.ts'
import { publishingSkill } from './skills/publishing.ts'
import { usingSkill } from './skills/using.ts'

/** A skill of the service itself: how to use it. */
export interface OwnSkill {
  readonly name: string
  readonly description: string
  readonly markdown: string
  readonly digest: string
}

const texts: readonly OwnText[] = [usingSkill, publishingSkill, feedbackSkill]

/** The skills of the service itself; they are few, and the catalogue is not among them. */
export const ownSkills = ({ config }: Pick<RegistryContext, 'config'>): readonly OwnSkill[] =>
  texts.map(({ name, description, body }) => {
    const head = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`
    const markdown = `${head}\n${body(config.baseUrl)}`
    return { name, description, markdown, digest: digestOf(markdown) }
  })

/** A skill of the service by its name. Throws NOT_FOUND. */
export const ownSkill = (ctx: Pick<RegistryContext, 'config'>, name: string): OwnSkill =>
  ownSkills(ctx).find((skill) => skill.name === name) ??
  fail('NOT_FOUND', `The index names no skill ${name}.`)
