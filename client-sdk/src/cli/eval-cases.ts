import { fitted, formatShare, paint } from '../contract/terminal-text.ts'
import { visibleLine } from '../contract/visible-text.ts'

/** A prompt of an eval file. */
export interface EvalCase {
  /** Path of the file. */
  readonly file: string
  readonly prompt: string
  /** Slugs of the skills that should serve the prompt. Undefined if the file names none. */
  readonly named: readonly string[] | undefined
  /** Whether the skill of the file should serve the prompt, if the file names none. */
  readonly isPositive: boolean
  /** Slug of the skill that the prompt is about, if it is known. */
  readonly skill: string | undefined
}

interface Around {
  readonly file: string
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
export function evalCasesOf(value: unknown, file: string, skill?: string): EvalCase[] {
  return casesIn(value, { file, skill, isPositive: undefined })
}

function casesIn(value: unknown, around: Around): EvalCase[] {
  const { file, skill, isPositive } = around
  if (Array.isArray(value)) return value.flatMap((item) => casesIn(item, around))
  if (typeof value === 'string' && isPositive !== undefined) {
    return [{ file, prompt: value, named: undefined, isPositive, skill }]
  }
  if (!isRecord(value)) return []
  const prompt = prompts.map((key) => value[key]).find((text) => typeof text === 'string')
  if (typeof prompt === 'string') return [caseOf(prompt, value, around)]
  const name = value.skill_name ?? value.skill ?? (value.should_trigger && value.name)
  const about = typeof name === 'string' ? evalSlug(name) : skill
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object'
      ? casesIn(inner, { file, skill: about, isPositive: signOf(key) ?? isPositive })
      : [],
  )
}

function caseOf(prompt: string, fields: Fields, { file, skill, isPositive }: Around): EvalCase {
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
    file,
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

/** A skill that resolve returns. */
export interface EvalResult {
  readonly slug: string
  readonly address: string
  readonly confidence: number
  /** Whether it is one of the tested skills. */
  readonly isTested: boolean
}

/** What became of a prompt. */
export type EvalOutcome = ReturnType<typeof judged>

/** Compares the results of a prompt with what its file expects. */
export function judged(
  { file, prompt, named, isPositive, skill }: EvalCase,
  results: readonly EvalResult[],
  skills: ReadonlyMap<string, unknown>,
) {
  const about = skill !== undefined && skills.has(skill) ? [skill] : [...skills.keys()]
  const wanted = named?.filter((slug) => skills.has(slug)) ?? about
  const isWanted = named ? wanted.length > 0 : isPositive
  // A prompt without names is about its skill, whatever the others of the folder are for.
  const isAbout = ({ isTested, slug }: EvalResult) => isTested && (named || wanted.includes(slug))
  const at = results.findIndex(isAbout)
  const found = results[at]
  return {
    file,
    prompt,
    passed: isWanted ? found !== undefined && wanted.includes(found.slug) : found === undefined,
    expected: isWanted ? wanted : [],
    found: found?.slug ?? null,
    place: found ? at + 1 : null,
    confidence: found?.confidence ?? null,
    first: results[0]?.address ?? null,
  }
}

/** Returns why a prompt failed. */
const reasonOf = ({ expected, found, first }: EvalOutcome): string =>
  expected.length === 0
    ? `leads to ${found}, and should not`
    : `should lead to ${expected.join(' or ')}, not to ${found ?? first ?? 'nothing'}`

/** Returns the lines that show an outcome in a number of columns. */
export function outcomeLines(outcome: EvalOutcome, columns: number): string[] {
  const { passed, place, confidence, prompt } = outcome
  const share = confidence === null ? '-' : formatShare(confidence)
  const text = fitted(visibleLine(prompt).replace(/ +/g, ' ').trim(), columns - 22)
  const verdict = paint(passed ? 'passed' : 'failed')
  const line = `${verdict}  ${`${place ?? '-'}`.padStart(2)}  ${share.padStart(5)}  ${text}`
  return passed ? [line] : [line, `${' '.repeat(19)}${visibleLine(reasonOf(outcome))}`]
}

/** Returns outcomes as JUnit XML. */
export function junitOf(outcomes: readonly EvalOutcome[]): string {
  const escaped = (text: string) =>
    visibleLine(text).replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)
  const cases = outcomes.map((outcome) => {
    const failure = outcome.passed ? '' : `<failure message="${escaped(reasonOf(outcome))}"/>`
    const names = `classname="${escaped(outcome.file)}" name="${escaped(outcome.prompt)}"`
    return `  <testcase ${names}>${failure}</testcase>\n`
  })
  const failures = outcomes.filter(({ passed }) => !passed).length
  const counts = `tests="${outcomes.length}" failures="${failures}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="skillpass test" ${counts}>\n${cases.join('')}</testsuite>\n`
}

/** Returns the slug of a name, as every installer accepts it. */
export const evalSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '')
