import { isInstallableSlug } from '../../skills/frontmatter/complete.ts'
import { type LintSkill, quote, type Report } from './types.ts'

/** Checks the name, description and size of a skill. */
export function checkRecord(skill: LintSkill, report: Report): void {
  checkName(skill, report)
  checkDescription(skill.description.trim(), report)
  checkSize(skill.readme, report)
}

const maxSlug = 64

function checkName({ name, slug }: LintSkill, report: Report): void {
  // "PDF Forms" is a fair title for pdf-forms.
  if (hyphened(name) !== hyphened(slug)) {
    report('name-slug-mismatch', 'name', `the name does not match the slug ${quote(slug)}`)
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

const minDescription = 20
/** Words that tell when, in the languages that skills are commonly written in. */
const trigger =
  /\b(?:use[ds]?|using|useful|when(?:ever)?|while|trigger\w*|activate\w*|invoke\w*|apply|applies|if|before|after|during|need\w*|ask\w*|want\w*|mention\w*|request\w*|for|cuando|para|quand|lorsque|pour|wenn|bei|für|quando|per|als|voor|при|когда|если|для)\b|用|当|當|时|時|场景|場合|とき|際|たい|때|경우|위한|khi|เมื่อ|عند|جب|जब/iu

function checkDescription(description: string, report: Report): void {
  if (description === '') {
    report('description-missing', 'description', 'there is no description')
  } else if (Buffer.byteLength(description) < minDescription) {
    const message = `the description has under ${minDescription} characters`
    report('description-short', 'description', message)
  } else if (!trigger.test(description)) {
    const message = 'the description does not say when to use the skill'
    report('description-no-trigger', 'description', message)
  }
}

/** What the public format recommends for one SKILL.md; more belongs into files beside it. */
const maxLines = 500
const maxTokens = 5000

function checkSize(readme: string, report: Report): void {
  if (!/\S/.test(readme)) {
    report('readme-empty', 'readme', 'the readme is empty')
    return
  }
  let lines = readme.endsWith('\n') ? 0 : 1
  for (let at = readme.indexOf('\n'); at >= 0; at = readme.indexOf('\n', at + 1)) lines += 1
  // About four characters a token in Latin script; a Chinese sign has three bytes and is about one token.
  const tokens = Math.round(Buffer.byteLength(readme) / 4)
  if (lines <= maxLines && tokens <= maxTokens) return
  const size = `${lines} lines and about ${tokens} tokens`
  const advice = `over ${maxLines} lines or ${maxTokens} tokens, move detail into separate files`
  report('readme-too-long', 'readme', `the readme has ${size}; ${advice}`)
}
