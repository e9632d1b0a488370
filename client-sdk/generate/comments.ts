import type { Schema } from './schemas.ts'

const width = 94

/** A doc comment of paragraphs, tags among them; nothing where there are none. */
export function comment(...paragraphs: (string | undefined)[]): string {
  const lines = paragraphs
    .flatMap((text, at) =>
      text ? [...(at > 0 ? [''] : []), ...text.split('\n').flatMap(wrapped)] : [],
    )
    .map((line) => line.replaceAll('*/', '*\\/'))
  const [only, ...more] = lines[0] === '' ? lines.slice(1) : lines
  if (only === undefined) return ''
  if (more.length === 0 && only.length < width) return `/** ${only} */\n`
  return `/**\n${[only, ...more].map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

/** Lines of at most `width` characters; a row of a table stays whole. */
function wrapped(text: string): string[] {
  if (text.startsWith('|')) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line && line.length + word.length >= width) {
      lines.push(line)
      line = word
    } else line = line ? `${line} ${word}` : word
  }
  return [...lines, line]
}

/** What a field means, its bounds and its default where the words do not tell them, and an example. */
export function fieldComment(schema: Schema, meaning: string): string {
  const { default: usual } = schema
  const text = [meaning, boundsOf(schema, meaning)].filter(Boolean).join(' ')
  const isTold = /default|absent/.test(text) && text.includes(String(usual))
  const isUsual = usual === undefined || usual === '' || isTold
  const said = [text, isUsual ? '' : `Default: ${JSON.stringify(usual)}.`, exampleOf(schema, text)]
  return comment(said.filter(Boolean).join(' '))
}

/** An example of a text or list, where the type and the words leave open how it looks; a long one would hide the rest. */
function exampleOf({ type, example, enum: choices, format }: Schema, text: string): string {
  const isOpen = (type === 'string' || type === 'array') && !choices && format !== 'uuid'
  if (!isOpen || !example || /UUID|ISO 8601/.test(text)) return ''
  const shown = typeof example === 'string' ? example : JSON.stringify(example)
  return shown.length > 60 || /[`\n]/.test(shown) ? '' : `For example \`${shown}\`.`
}

/** Bounds in words; empty where there are none, or the meaning tells numbers itself. */
function boundsOf(schema: Schema, meaning: string): string {
  if (/\d/.test(meaning)) return ''
  const numbers = range(least(schema), most(schema), '')
  const characters = range(schema.minLength, schema.maxLength, ' characters')
  const items = range(schema.minItems, schema.maxItems, ' items')
  const bounds = numbers || characters || items
  return bounds && `${bounds}.`
}

/** zod writes a positive whole number as above 0. */
const least = ({ minimum, exclusiveMinimum }: Schema) =>
  minimum ?? (exclusiveMinimum === 0 ? 1 : undefined)

const most = ({ maximum }: Schema) => (maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum)

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const shown = (number: number) => number.toLocaleString('en')
  if (max === undefined) return min === undefined || min <= 1 ? '' : `At least ${shown(min)}${unit}`
  if (min === undefined || (min === 0 && unit)) return `At most ${shown(max)}${unit}`
  return `${shown(min)} to ${shown(max)}${unit}`
}
