import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type EvalCase,
  type EvalOutcome,
  type EvalResult,
  judged,
  junitOf,
  reasonOf,
} from '../../contract/registry/evals.ts'
import { counted, fitted, formatShare, paint } from '../../contract/terminal-text.ts'
import { command, folderOf, json, printable, type Terminal } from '../command.ts'
import { readEvals } from '../evals.ts'
import { flag, numbersOf, text } from './arguments.ts'
import { addressOf } from './output.ts'

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
    const resolvePublished = async ({ prompt: task }: EvalCase): Promise<EvalResult[]> => {
      const query = { task, limit: top, ...limits }
      const { data } = await client.registry.skills.resolve({ query })
      return data.map(({ skill: { slug }, fetchUrl, confidence }) => {
        const address = addressOf(fetchUrl)
        return { slug, address, confidence, isTested: isOwn(address, slug) }
      })
    }
    const resolveTried = async (some: readonly EvalCase[]): Promise<EvalResult[][]> => {
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
    const outcomes: EvalOutcome[] = []
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

function printOutcome({ print, columns }: Terminal, outcome: EvalOutcome) {
  const { passed, place, confidence, prompt } = outcome
  const share = confidence === null ? '-' : formatShare(confidence)
  const text = fitted(printable(prompt).replace(/ +/g, ' ').trim(), columns - 22)
  const verdict = paint(passed ? 'passed' : 'failed')
  print(`${verdict}  ${`${place ?? '-'}`.padStart(2)}  ${share.padStart(5)}  ${text}\n`)
  if (!passed) print(`${' '.repeat(19)}${printable(reasonOf(outcome))}\n`)
}
