// A chatbot sends messages. Its token cannot read the data of users.
//
// SKILLPASS_CLIENT_ID=… SKILLPASS_CLIENT_SECRET=… SKILLPASS_ROBOT_JID=… SKILLPASS_TO_JID=… npx tsx
// chatbot.ts
import { clientToken, createClient, MissingScopeError } from '@skillpass/client'

const {
  SKILLPASS_URL: baseUrl = 'http://localhost:3000',
  SKILLPASS_AUTH_URL: authUrl = baseUrl,
  SKILLPASS_API_URL: apiUrl = baseUrl,
  SKILLPASS_CLIENT_ID: clientId = '',
  SKILLPASS_CLIENT_SECRET: clientSecret = '',
  // JIDs of the bot, and of the user or channel that receives the message.
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
console.log(`Sent message ${message.message_id} to ${message.to_jid}.`)

await platform.users.get({ params: { userId: 'me' } }).catch((error) => {
  if (!(error instanceof MissingScopeError)) throw error
  console.log('The bot cannot read users, as expected.')
})

await accessToken.revoke()
