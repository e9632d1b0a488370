import { command, json, UsageError } from '../command.ts'
import { flag, skillIdFrom, text } from './arguments.ts'
import { counted } from './output.ts'

export const feedback = command({
  summary: 'Report whether a skill helped.',
  usage: `OWNER/REPO/SKILL|ID --helpful|--unhelpful --task "TEXT" [options]

  --task TEXT      what you were trying to do
  --context HOW    how you found the skill: resolve, search or direct
  --json           print the result as JSON`,
  options: { helpful: flag, unhelpful: flag, task: text, context: text, json: flag },
  arguments: [1, 1],
  async act({ values: { helpful, unhelpful, task, context, ...values }, args, client, terminal }) {
    if (helpful === unhelpful) throw new UsageError('Give either --helpful or --unhelpful.')
    if (!task) throw new UsageError('--task is required.')
    const body = { task, helpful, ...(context && { context: contextFrom(context) }) }
    const { id } = await skillIdFrom(args[0] ?? '', terminal)
    const response = await client.registry.feedback.submit({ params: { id }, body })
    if (values.json) return terminal.print(json(response))
    const { totalFeedback, helpfulRate } = response.stats
    const share = Math.round((helpfulRate ?? 0) * 100)
    terminal.print(`Recorded. ${counted(totalFeedback, 'entry', 'entries')}, ${share} % helpful\n`)
  },
})

function contextFrom(word: string) {
  const found = (['resolve', 'search', 'direct'] as const).find((how) => how === word)
  if (!found) throw new UsageError('--context must be resolve, search or direct.')
  return found
}
