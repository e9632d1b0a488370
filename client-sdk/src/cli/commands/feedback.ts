import { counted, formatShare } from '../../contract/terminal-text.ts'
import { command, json, UsageError } from '../command.ts'
import { choiceFrom, flag, skillIdFrom, text } from './arguments.ts'

const contexts = ['resolve', 'search', 'direct'] as const

export const feedback = command({
  summary: 'Report whether a skill helped.',
  usage: 'OWNER/REPO/SKILL|NAME|ID --task "TEXT"',
  options: {
    helpful: flag('the skill helped'),
    unhelpful: flag('it did not help'),
    task: text('TEXT', 'what you were trying to do'),
    context: text('HOW', 'how you found the skill: resolve, search or direct'),
  },
  arguments: [1, 1],
  async act({ values: { helpful, unhelpful, task, context, ...values }, args, terminal }) {
    if (helpful === unhelpful) throw new UsageError('Give either --helpful or --unhelpful.')
    if (!task) throw new UsageError('--task is required.')
    const body = {
      task,
      helpful,
      ...(context && { context: choiceFrom('--context', contexts, context) }),
    }
    const { id, client } = await skillIdFrom(args[0] ?? '', terminal)
    const response = await client.registry.feedback.submit({ params: { id }, body })
    if (values.json) return terminal.print(json(response))
    const { totalFeedback, helpfulRate } = response.stats
    terminal.print(
      `Recorded. ${counted(totalFeedback, 'entry', 'entries')}, ${formatShare(helpfulRate ?? 0)} helpful\n`,
    )
  },
})
