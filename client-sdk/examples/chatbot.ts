// A chatbot: its token sends chat messages and opens no user's data.
//
//   SKILLPASS_CLIENT_ID=… SKILLPASS_CLIENT_SECRET=… SKILLPASS_ROBOT_JID=… SKILLPASS_TO_JID=… npx tsx chatbot.ts
import { clientToken, createClient, MissingScopeError } from '@skillpass/client'

const {
  SKILLPASS_URL: baseUrl = 'http://localhost:3000',
  SKILLPASS_AUTH_URL: authUrl = baseUrl,
  SKILLPASS_API_URL: apiUrl = baseUrl,
  SKILLPASS_CLIENT_ID: clientId = '',
  SKILLPASS_CLIENT_SECRET: clientSecret = '',
  // The addresses of the bot, and of the user or channel that it writes to.
  SKILLPASS_ROBOT_JID: robotJid = '',
  SKILLPASS_TO_JID: toJid = '',
} = process.env

const accessToken = clientToken({ authUrl, clientId, clientSecret })
const { platform } = createClient({ baseUrl, apiUrl, accessToken })

const { scopes } = await accessToken.granted()
console.log(`The bot has ${scopes.join(', ')}.`)

const content = { head: { text: 'Build 7' }, body: [{ type: 'message', text: 'It is green.' }] }
const message = await platform.chat.send({
  body: { robot_jid: robotJid, to_jid: toJid, content },
})
console.log(`Message ${message.message_id} went to ${message.to_jid}.`)

await platform.users.get({ params: { userId: 'me' } }).catch((error) => {
  if (!(error instanceof MissingScopeError)) throw error
  console.log('It cannot read users, as it should be.')
})

await accessToken.revoke()
