import { command, json, UsageError } from '../command.ts'
import { flag, skillIdFrom, text } from './arguments.ts'
import { counted } from './shown.ts'

export const feedback = command({
  summary: 'Say whether a skill helped.',
  usage: `OWNER/REPO/SKILL|ID --helpful|--unhelpful --task "TEXT" [options]

  --task TEXT      what you were trying to do
  --context HOW    how you found it: resolve, search or direct
  --json           the answer as JSON`,
  options: { helpful: flag, unhelpful: flag, task: text, context: text, json: flag },
  arguments: [1, 1],
  async act({ values: { helpful, unhelpful, task, context, ...values }, args, client, terminal }) {
    if (helpful === unhelpful) throw new UsageError('Give either --helpful or --unhelpful.')
    if (!task) throw new UsageError('--task is missing.')
    const body = { task, helpful, ...(context && { context: foundBy(context) }) }
    const { id } = await skillIdFrom(args[0] ?? '', terminal)
    const answer = await client.registry.feedback.submit({ params: { id }, body })
    if (values.json) return terminal.print(json(answer))
    const { totalFeedback, helpfulRate } = answer.stats
    const share = Math.round((helpfulRate ?? 0) * 100)
    terminal.print(`Recorded. ${counted(totalFeedback, 'entry', 'entries')}, ${share} % helpful\n`)
  },
})

function foundBy(word: string) {
  const found = (['resolve', 'search', 'direct'] as const).find((how) => how === word)
  if (!found) throw new UsageError('--context takes resolve, search or direct.')
  return found
}
