import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { counted } from '../../contract/terminal-text.ts'
import { command, folderOf, json } from '../command.ts'
import { type EvalCase, judged, junitOf, outcomeLines } from '../eval-cases.ts'
import { readEvals } from '../evals.ts'
import { flag, numbersOf, text } from './arguments.ts'
import { addressOf } from './output.ts'

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
    const resultOf = (slug: string, fetchUrl: string | null, confidence: number) => {
      const address = fetchUrl === null ? slug : addressOf(fetchUrl)
      const isOwn = address.toLowerCase().startsWith(`${owner.toLowerCase()}/`) && skills.has(slug)
      const isReplaced = isOwn && !values.published
      return { slug, address, confidence, isReplaced, isTested: isOwn || fetchUrl === null }
    }
    const resolvePublished = async ({ prompt: task }: EvalCase) => {
      const query = { task, limit: top, ...limits }
      const { data } = await client.registry.skills.resolve({ query })
      return data.map((one) => resultOf(one.skill.slug, one.fetchUrl, one.confidence))
    }
    // The folder replaces its published skills.
    const resolveSent = async (some: readonly EvalCase[]) => {
      const limit = Math.min(50, top + skills.size)
      const tasks = some.map(({ prompt }) => prompt)
      const body = { skills: [...skills.values()], tasks, limit, ...limits }
      const { data } = await client.registry.skills.try({ body, timeoutMs: 60_000 })
      return data.map(({ results }) =>
        results
          .map((one) => resultOf(one.slug, one.fetchUrl, one.confidence))
          .filter(({ isReplaced }) => !isReplaced)
          .slice(0, top),
      )
    }
    const outcomes: ReturnType<typeof judged>[] = []
    while (outcomes.length < cases.length) {
      terminal.progress.update(`${outcomes.length} of ${cases.length} prompts`)
      const some = cases.slice(outcomes.length, outcomes.length + (values.published ? 1 : 50))
      const found = values.published
        ? await Promise.all(some.map(resolvePublished))
        : await resolveSent(some)
      outcomes.push(...some.map((each, i) => judged(each, found[i] ?? [], skills)))
    }
    if (values.junit) await writeFile(at(values.junit), junitOf(outcomes))
    const failed = outcomes.filter(({ passed }) => !passed).length
    if (values.json) terminal.print(json({ passed: outcomes.length - failed, failed, outcomes }))
    else
      terminal.print(
        outcomes.map((one) => `${outcomeLines(one, terminal.columns).join('\n')}\n`).join(''),
      )
    const all = counted(outcomes.length, 'prompt', 'prompts')
    if (failed > 0) throw new Error(`${failed} of ${all} failed.`)
    if (!values.json) terminal.print(`${all} passed.\n`)
  },
})
