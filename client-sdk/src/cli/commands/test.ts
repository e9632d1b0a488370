import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fitted, paint } from '../../contract/terminal-text.ts'
import { command, folderOf, json, printable, type Terminal } from '../command.ts'
import { type FileCase, readEvals } from '../evals.ts'
import { flag, numbersOf, text } from './arguments.ts'
import { addressOf, counted, formatShare } from './output.ts'

/** Tasks of one request. */
const batch = 50

export const test = command({
  summary: 'Check which prompts lead to your skill.',
  usage: 'FOLDER',
  details: `Reads the prompts of evals/routing.json, evals/trigger-evals.json and evals/evals.json, and resolves each one as if the skills of the folder were published: the registry ranks them in memory beside its skills. It stores and counts nothing. FOLDER is a skill, or a repository with several.

A prompt leads to a skill that is among the first results of resolve. If a prompt names skills, one of them must come before the others of the folder. Exits with 1 if a prompt does not lead to its skill, or leads to one that it should not lead to.`,
  options: {
    evals: text('FILE', 'read the prompts from this file'),
    top: text('N', 'number of results that count, 1 to 50 (default: 3)'),
    threshold: text('X', 'minimum confidence, 0 to 1 (default: 0.3)'),
    published: flag('test the published skills instead of the folder'),
    owner: text('NAME', 'owner of the published skills (default: your agent)'),
    junit: text('FILE', 'also write the results as JUnit XML'),
  },
  arguments: [1, 1],
  async act({ values, args: [folder = ''], client, terminal }) {
    const at = (path: string) => resolve(folderOf(terminal), path)
    const { top = 3, ...limits } = numbersOf({ top: values.top, threshold: values.threshold })
    const { skills, cases } = await readEvals(at(folder), values.evals && at(values.evals))
    const owner = values.owner ?? (await client.registry.agents.me()).data.username
    const isOwn = (address: string, slug: string) =>
      skills.has(slug) && address.toLowerCase().startsWith(`${owner.toLowerCase()}/`)
    const resolvePublished = async ({ prompt: task }: FileCase): Promise<Result[]> => {
      const query = { task, limit: top, ...limits }
      const { data } = await client.registry.skills.resolve({ query })
      return data.map(({ skill: { slug }, fetchUrl, confidence }) => {
        const address = addressOf(fetchUrl)
        return { slug, address, confidence, isTested: isOwn(address, slug) }
      })
    }
    const resolveTried = async (some: readonly FileCase[]): Promise<Result[][]> => {
      // The folder replaces its published skills, which may be among the results.
      const limit = Math.min(50, top + skills.size)
      const tasks = some.map(({ prompt }) => prompt)
      const body = { skills: [...skills.values()], tasks, limit, ...limits }
      const { data } = await client.registry.skills.try({ body, timeoutMs: 60_000 })
      return data.map(({ results }) =>
        results
          .map(({ slug, fetchUrl, confidence }) => {
            const address = fetchUrl === null ? slug : addressOf(fetchUrl)
            return { slug, address, confidence, isTested: fetchUrl === null }
          })
          .filter(({ slug, address, isTested }) => isTested || !isOwn(address, slug))
          .slice(0, top),
      )
    }
    const outcomes: Outcome[] = []
    while (outcomes.length < cases.length) {
      terminal.progress.update(`${outcomes.length} of ${cases.length} prompts`)
      const end = outcomes.length + (values.published ? 1 : batch)
      const some = cases.slice(outcomes.length, end)
      const found = values.published
        ? await Promise.all(some.map(resolvePublished))
        : await resolveTried(some)
      outcomes.push(...some.map((each, i) => judged(each, found[i] ?? [], skills)))
    }
    if (values.junit) await writeFile(at(values.junit), junitOf(outcomes))
    const failed = outcomes.filter(({ passed }) => !passed).length
    if (values.json) terminal.print(json({ passed: outcomes.length - failed, failed, outcomes }))
    else for (const outcome of outcomes) printOutcome(terminal, outcome)
    const all = counted(outcomes.length, 'prompt', 'prompts')
    if (failed > 0) throw new Error(`${failed} of ${all} failed.`)
    if (!values.json) terminal.print(`${all} passed.\n`)
  },
})

/** A skill that resolve returns. */
interface Result {
  readonly slug: string
  readonly address: string
  readonly confidence: number
  /** Whether it is one of the tested skills. */
  readonly isTested: boolean
}

type Outcome = ReturnType<typeof judged>

/** Compares the results of a prompt with what its file expects. */
function judged(
  { file, prompt, named, isPositive, skill }: FileCase,
  results: readonly Result[],
  skills: ReadonlyMap<string, unknown>,
) {
  const about = skill !== undefined && skills.has(skill) ? [skill] : [...skills.keys()]
  const wanted = named?.filter((slug) => skills.has(slug)) ?? about
  const isWanted = named ? wanted.length > 0 : isPositive
  // A prompt without names is about its skill, whatever the others of the folder are for.
  const isAbout = ({ isTested, slug }: Result) => isTested && (named || wanted.includes(slug))
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
const reasonOf = ({ expected, found, first }: Outcome): string =>
  expected.length === 0
    ? `leads to ${found}, and should not`
    : `should lead to ${expected.join(' or ')}, not to ${found ?? first ?? 'nothing'}`

function printOutcome({ print, columns }: Terminal, outcome: Outcome) {
  const { passed, place, confidence, prompt } = outcome
  const share = confidence === null ? '-' : formatShare(confidence)
  const text = fitted(printable(prompt).replace(/ +/g, ' ').trim(), columns - 22)
  const verdict = paint(passed ? 'passed' : 'failed')
  print(`${verdict}  ${`${place ?? '-'}`.padStart(2)}  ${share.padStart(5)}  ${text}\n`)
  if (!passed) print(`${' '.repeat(19)}${printable(reasonOf(outcome))}\n`)
}

function junitOf(outcomes: readonly Outcome[]): string {
  const escaped = (text: string) =>
    printable(text).replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)
  const cases = outcomes.map((outcome) => {
    const failure = outcome.passed ? '' : `<failure message="${escaped(reasonOf(outcome))}"/>`
    const names = `classname="${escaped(outcome.file)}" name="${escaped(outcome.prompt)}"`
    return `  <testcase ${names}>${failure}</testcase>\n`
  })
  const failures = outcomes.filter(({ passed }) => !passed).length
  const counts = `tests="${outcomes.length}" failures="${failures}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="skillpass test" ${counts}>\n${cases.join('')}</testsuite>\n`
}
