import { isInstallableSlug } from '../frontmatter/complete.ts'
import { type LintSkill, quote, type Report, rulesOf } from './report/types.ts'

const minDescription = 20
const maxSlug = 64

export const fieldRules = rulesOf('advice', {
  'name-slug-mismatch':
    'The public format names a skill after its folder, so its slug should be its name.',
  'slug-format': `Installers such as npx skills skip a skill whose slug is not made of at most ${maxSlug} of a-z, 0-9 and single inner hyphens.`,
  'description-missing': 'Agents choose a skill by its description alone.',
  'description-short':
    'A description of a few words cannot tell a task it serves from one it does not.',
  'description-no-trigger': 'A description should say when to use the skill, as in "Use when …".',
  'tag-unusable': 'A tag that is empty, repeated or holds a comma cannot be searched for.',
})

export function checkFields(skill: LintSkill, report: Report): void {
  checkName(skill, report)
  checkDescription(skill.description.trim(), report)
  checkTags(skill.tags, report)
}

function checkName({ name, slug }: LintSkill, report: Report): void {
  // "PDF Forms" is a fair title for pdf-forms.
  if (hyphened(name) !== hyphened(slug)) {
    report('name-slug-mismatch', 'name', () => `the name does not match the slug ${quote(slug)}`)
  }
  if (isInstallableSlug(slug)) return
  const why =
    slug.length > maxSlug
      ? `has ${slug.length} characters, over ${maxSlug}`
      : 'has a double or edge hyphen, or other characters'
  report('slug-format', 'slug', `the slug ${why}, so installers skip the skill`)
}

/** Letters and digits of any script, so that a name in Greek or Chinese is compared too. */
function hyphened(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** Words that tell when, in the languages that skills are commonly written in. */
const trigger =
  /\b(?:use[ds]?|using|useful|when(?:ever)?|while|trigger\w*|activate\w*|invoke\w*|apply|applies|if|before|after|during|need\w*|ask\w*|want\w*|mention\w*|request\w*|for|cuando|para|quand|lorsque|pour|wenn|bei|für|quando|per|als|voor|при|когда|если|для)\b|用|当|當|时|時|场景|場合|とき|際|たい|때|경우|위한|khi|เมื่อ|عند|جب|जब/iu

function checkDescription(description: string, report: Report): void {
  if (description === '') {
    report('description-missing', 'description', 'there is no description')
  } else if (Buffer.byteLength(description) < minDescription) {
    report(
      'description-short',
      'description',
      `the description has under ${minDescription} characters`,
    )
  } else if (!trigger.test(description)) {
    const message = 'the description does not say when to use the skill'
    report('description-no-trigger', 'description', message)
  }
}

function checkTags(tags: readonly string[], report: Report): void {
  const seen = new Set<string>()
  for (const tag of tags) {
    const key = tag.trim().toLowerCase()
    if (key === '') report('tag-unusable', 'tags', 'a tag is empty')
    else if (seen.has(key)) report('tag-unusable', 'tags', `the tag ${quote(tag)} stands twice`)
    else if (key.includes(','))
      report('tag-unusable', 'tags', `the tag ${quote(tag)} holds a comma`)
    seen.add(key)
  }
}
