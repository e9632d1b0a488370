import { command, json, printable, UsageError } from '../command.ts'
import { flag, numberedVersion, text } from './arguments.ts'

const usage = 'OWNER/REPO/SKILL@VERSION|NAME@VERSION'

export const withdraw = command({
  summary: 'Withdraw a version, so that nobody new gets it.',
  usage,
  details:
    'The newest version that is not withdrawn becomes current. "skillpass install" of a lock that names the version warns, or fails if it is withdrawn for security.',
  options: {
    reason: text('TEXT', 'why, shown to everybody who has the version'),
    security: flag('nobody should get it any more'),
    undo: flag('take the withdrawal back'),
  },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], terminal }) {
    const { client, params, what } = await numberedVersion(skill, terminal)
    const { reason, security, undo } = values
    const { withdraw, restore } = client.registry.versions
    if (!undo && !reason) throw new UsageError('--reason TEXT is missing.')
    const { data } = undo
      ? await restore({ params })
      : await withdraw({ params, body: { reason: reason ?? '', security } })
    terminal.print(values.json ? json(data) : `${undo ? 'Restored' : 'Withdrew'} ${what}.\n`)
  },
})

export const deprecate = command({
  summary: 'Tell the users of a version what to use instead.',
  usage,
  options: {
    message: text('TEXT', 'why nobody should use the version any more'),
    use: text('SKILL', 'what to use instead, for example acme/skills/deploy@5'),
    undo: flag('take the deprecation back'),
  },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], terminal }) {
    const { client, params, what } = await numberedVersion(skill, terminal)
    const { message, use, undo } = values
    const { deprecate, undeprecate } = client.registry.versions
    if (!undo && !message) throw new UsageError('--message TEXT is missing.')
    const { data } = undo
      ? await undeprecate({ params })
      : await deprecate({ params, body: { message: message ?? '', use } })
    const done = undo ? 'No longer deprecated:' : 'Deprecated'
    terminal.print(values.json ? json(data) : `${done} ${what}.\n`)
  },
})

export const approve = command({
  summary: 'Approve a version that waits in your organization, or decline it.',
  usage,
  options: {
    decline: text('TEXT', 'decline it, for this reason'),
    note: text('TEXT', 'what its publisher should know'),
  },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], terminal }) {
    const { client, params, what } = await numberedVersion(skill, terminal)
    const { decline: reason, note } = values
    const { approve, decline } = client.registry.versions
    const { data } =
      reason === undefined
        ? await approve({ params, body: { note } })
        : await decline({ params, body: { reason } })
    const done = reason === undefined ? 'Approved' : 'Declined'
    terminal.print(values.json ? json(data) : `${done} ${printable(what)}.\n`)
  },
})
