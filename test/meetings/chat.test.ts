import { createClient } from '@skillpass/client'
import { expect, test } from 'vitest'
import { startOAuthServer } from '../support/oauth-server.ts'
import { refused } from '../support/platform.ts'

const path = '/v2/im/chat/messages'
const jids = { robot_jid: 'helper@bots.acme.test', to_jid: 'member@acme.test' }
const content = { head: { text: 'Build 7' }, body: [{ type: 'message', text: 'Зелёный 🎉' }] }

const nestedBy = (levels: number): object => (levels === 1 ? {} : { a: nestedBy(levels - 1) })

const server = await startOAuthServer()
const access = await server.botTokenOf('Helper bot')
const accountId = server.accountId('Acme')
const send = (body: unknown, accessToken = access) =>
  server.callWith(accessToken, path, { method: 'POST', body })
const storedMessages = () => server.ctx.db.read.selectFrom('chat_messages').selectAll().execute()

test('a message of a chatbot is stored unchanged', async () => {
  const { chat } = createClient({ baseUrl: server.url, accessToken: access, retries: 0 }).platform
  const sent = await chat.send({ body: { ...jids, account_id: accountId, content } })
  expect(sent).toEqual({
    message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    robot_jid: jids.robot_jid,
    sent_time: new Date(server.clock.now()).toISOString(),
    to_jid: jids.to_jid,
  })
  const [message] = await storedMessages()
  expect(message).toEqual({
    id: sent.message_id,
    app_id: server.appId('Helper bot'),
    account_id: accountId,
    ...jids,
    content: JSON.stringify(content),
    sent_at: server.clock.now(),
  })
})

test('content may have NUL, lone surrogates, 32 KiB and twenty levels', async () => {
  const odd = { '\0': '\ud800', deep: [[[['\0']]]] }
  expect((await send({ ...jids, content: odd })).status).toBe(201)
  expect((await storedMessages()).map((message) => message.content)).toContain(JSON.stringify(odd))
  const whole = { text: 'x'.repeat(32 * 1024 - '{"text":""}'.length) }
  expect((await send({ ...jids, content: whole })).status).toBe(201)
  expect((await send({ ...jids, content: nestedBy(20) })).status).toBe(201)
})

const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
const wrong: [field: string, body: unknown][] = [
  ['robot_jid', { to_jid: 'x', content }],
  ['to_jid', { ...jids, to_jid: 'x'.repeat(321), content }],
  ['to_jid', { ...jids, to_jid: 'a\0b', content }],
  ['content', jids],
  ['content', { ...jids, content: [] }],
  ['content', { ...jids, content: { text: 'x'.repeat(32 * 1024) } }],
  ['content', `{"robot_jid":"x","to_jid":"x","content":${nested}}`],
  ['account_id', { ...jids, content, account_id: server.accountId('Other') }],
  ['content', { ...jids, content: nestedBy(21) }],
  ['content', { ...jids, content: { list: [[nestedBy(18)]] } }],
]
test('an invalid message is refused with 300 and the field, and is not stored', async () => {
  const before = (await storedMessages()).length
  for (const [field, body] of wrong) {
    expect(refused(await send(body)), JSON.stringify(body).slice(0, 200)).toBe(`400 300 ${field}`)
  }
  expect(await storedMessages()).toHaveLength(before)
})
