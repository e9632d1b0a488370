import type { Schema } from './schemas.ts'

const width = 94

/** Returns a doc comment of these paragraphs and tags; an empty string if all are empty. */
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

/** Wraps text at `width` characters. Rows of Markdown tables are not wrapped. */
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

/** Returns the doc comment of a field: its meaning, bounds, default and an example. */
export function fieldComment(schema: Schema, meaning: string): string {
  const { default: defaultValue } = schema
  const text = [meaning, boundsOf(schema, meaning)].filter(Boolean).join(' ')
  const isStated = /default|absent/.test(text) && text.includes(String(defaultValue))
  const isDefault = defaultValue === undefined || defaultValue === '' || isStated
  const sentences = [
    text,
    isDefault ? '' : `Default: ${JSON.stringify(defaultValue)}.`,
    exampleOf(schema, text),
  ]
  return comment(sentences.filter(Boolean).join(' '))
}

/**
 * Returns a short example of a string or a list; an empty string if the format is already clear.
 */
function exampleOf({ type, example, enum: choices, format }: Schema, text: string): string {
  const isOpen = (type === 'string' || type === 'array') && !choices && format !== 'uuid'
  if (!isOpen || !example || /UUID|ISO 8601/.test(text)) return ''
  const short = typeof example === 'string' ? example : JSON.stringify(example)
  return short.length > 60 || /[`\n]/.test(short) ? '' : `For example \`${short}\`.`
}

/**
 * Returns the bounds as a sentence; an empty string without bounds or if `meaning` states numbers.
 */
function boundsOf(schema: Schema, meaning: string): string {
  if (/\d/.test(meaning)) return ''
  const numbers = range(minimumOf(schema), maximumOf(schema), '')
  const characters = range(schema.minLength, schema.maxLength, ' characters')
  const items = range(schema.minItems, schema.maxItems, ' items')
  const bounds = numbers || characters || items
  return bounds && `${bounds}.`
}

/** zod writes `positive()` as `exclusiveMinimum: 0`. */
const minimumOf = ({ minimum, exclusiveMinimum }: Schema) =>
  minimum ?? (exclusiveMinimum === 0 ? 1 : undefined)

const maximumOf = ({ maximum }: Schema) =>
  maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const format = (number: number) => number.toLocaleString('en')
  if (max === undefined)
    return min === undefined || min <= 1 ? '' : `At least ${format(min)}${unit}`
  if (min === undefined || (min === 0 && unit)) return `At most ${format(max)}${unit}`
  return `${format(min)} to ${format(max)}${unit}`
}
