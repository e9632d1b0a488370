/** A prompt of an eval file. */
export interface EvalCase {
  readonly prompt: string
  /** Slugs of the skills that should serve the prompt. Undefined if the file names none. */
  readonly named: readonly string[] | undefined
  /** Whether the skill of the file should serve the prompt, if the file names none. */
  readonly isPositive: boolean
  /** Slug of the skill that the prompt is about, if it is known. */
  readonly skill: string | undefined
}

interface Around {
  readonly skill: string | undefined
  readonly isPositive: boolean | undefined
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const prompts = ['prompt', 'query', 'input', 'task', 'text']

/**
 * Returns the prompts of an eval file: of its cases, or of lists such as `should_trigger`, anywhere
 * in its JSON. There is no standard, and published files have many shapes.
 */
export function evalCasesOf(value: unknown, skill?: string): EvalCase[] {
  return casesIn(value, { skill, isPositive: undefined })
}

function casesIn(value: unknown, { skill, isPositive }: Around): EvalCase[] {
  if (Array.isArray(value)) return value.flatMap((item) => casesIn(item, { skill, isPositive }))
  if (typeof value === 'string' && isPositive !== undefined) {
    return [{ prompt: value, named: undefined, isPositive, skill }]
  }
  if (!isRecord(value)) return []
  const prompt = prompts.map((key) => value[key]).find((text) => typeof text === 'string')
  if (typeof prompt === 'string') return [caseOf(prompt, value, { skill, isPositive })]
  const name = value.skill_name ?? value.skill ?? (value.should_trigger && value.name)
  const about = typeof name === 'string' ? evalSlug(name) : skill
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object'
      ? casesIn(inner, { skill: about, isPositive: signOf(key) ?? isPositive })
      : [],
  )
}

function caseOf(prompt: string, fields: Fields, { skill, isPositive }: Around): EvalCase {
  const entries = Object.entries(fields)
  const expected = namesOf(entries, expectedKey)
  const [forbidden] = namesOf(entries, /^forbidden_skills?$/) ?? []
  const stated = entries.find(([key, is]) => typeof is === 'boolean' && signOf(key) !== undefined)
  const isAnti = entries.some(
    ([key, is]) => /type|kind|category/.test(key) && signOf(String(is)) === false,
  )
  const sign = stated ? stated[1] === signOf(stated[0]) : !isAnti && (isPositive ?? true)
  const isNamed = !stated && expected && (expected.length > 0 || forbidden === undefined)
  const acceptable = namesOf(entries, /^acceptable_skills?$/) ?? []
  return {
    prompt,
    named: isNamed ? [...expected, ...acceptable] : undefined,
    isPositive: sign && forbidden === undefined,
    skill: forbidden ?? skill,
  }
}

const expectedKey =
  /^expect(ed)?(_(skills?|mission|route))?$|^(relevant_)?skills?$|^skills_expected/

/** Whether a key or a kind says that a skill should be chosen. Undefined if it says neither. */
function signOf(key: string): boolean | undefined {
  if (/should_?not|negative|(anti|non?)[-_ ]?trigger|out[-_ ]of[-_ ]scope/i.test(key)) return false
  return /should_?trigger|positive|expect(ed)?_trigger|^triggers?$/i.test(key) ? true : undefined
}

/** Returns the slugs of names, which may have a namespace. Undefined if there are no names. */
function namesOf(entries: [string, unknown][], key: RegExp): string[] | undefined {
  const found = entries.filter(([name, is]) => key.test(name) && [is].flat().every(isName))
  if (found.length === 0) return undefined
  return found
    .flatMap(([, names]) => [names].flat())
    .map((name) => evalSlug(String(name ?? '').replace(/^.*[:/]/, '')))
    .filter((slug) => !['', 'none', 'null', 'no-skill'].includes(slug))
}

const isName = (name: unknown) => name === null || /^[\w:./-]{0,100}$/.test(String(name))

/** Returns the slug of a name, as every installer accepts it. */
export const evalSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '')
