import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { c } from '../router.ts'
import { doc, Instant, string } from '../schemas.ts'
import { text } from '../text.ts'
import { utf8Length } from '../utf8-length.ts'
import { platformErrorResponses } from './errors.ts'
import { emptyMembersAsAbsent } from './lenient.ts'

/** Maximum content of a message, bytes as JSON. */
const contentBytes = 32 * 1024

/** Maximum nesting of the content, which clients traverse recursively. */
const contentLevels = 20

const Jid = text(320).min(1)

/** Whether objects and arrays are nested at most `levels` deep. Never recurses deeper. */
const isWithin = (levels: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isWithin(levels - 1, member)))

/** A message that a chatbot sends. */
export const NewChatMessage = emptyMembersAsAbsent(
  z.object({
    robot_jid: Jid.meta(doc('Address of the chatbot.', 'helper@bots.acme.test')),
    to_jid: Jid.meta(doc('Address of the receiving user or channel.', demo.users.member.email)),
    account_id: text(100)
      .optional()
      .meta(doc("The token's account. Empty counts as absent.", demo.account.id)),
    content: z
      .record(z.string(), z.unknown())
      .refine((content) => isWithin(contentLevels, content), {
        message: `must be at most ${contentLevels} levels deep`,
        abort: true,
      })
      .refine((content) => utf8Length(JSON.stringify(content)) <= contentBytes, {
        message: `must be at most ${contentBytes} bytes`,
      })
      .meta({
        description: `Text of the message: \`head\` and \`body\`, at most ${contentBytes / 1024} KiB as JSON and ${contentLevels} levels deep.`,
        example: { head: { text: 'Build 7' }, body: [{ type: 'message', text: 'It is green.' }] },
      }),
  }),
).meta({ id: 'NewChatMessage', description: 'A message that a chatbot sends.' })

export const ChatMessage = z
  .object({
    message_id: string('Id of the message.', '4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50'),
    robot_jid: string('Address of the chatbot.', 'helper@bots.acme.test'),
    sent_time: Instant,
    to_jid: string('Address of the receiving user or channel.', demo.users.member.email),
  })
  .meta({ id: 'ChatMessage', description: 'A message that was sent.' })

const about = { auth: 'accessToken', limit: 'resource', tag: 'Chat' } as const

/** Messages of chatbots (spec/decisions.md#resource-api-endpoints). */
export const chatContract = c.router({
  send: {
    method: 'POST',
    path: '/v2/im/chat/messages',
    summary: 'Send a message as a chatbot',
    description: 'Requires a token of the client_credentials grant that was issued to a chatbot.',
    body: NewChatMessage,
    responses: { 201: ChatMessage, ...platformErrorResponses(400, 413) },
    metadata: metadata({ ...about, scopes: endpointScopes.sendChatMessage }),
  },
})
