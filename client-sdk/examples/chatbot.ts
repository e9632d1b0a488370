// A chatbot: its token opens chat messages alone, no user's data.
//
//   SKILLPASS_CLIENT_ID=… SKILLPASS_CLIENT_SECRET=… npx tsx chatbot.ts
import { clientToken, createClient, MissingScopeError } from '@skillpass/client'

const {
  SKILLPASS_URL: baseUrl = 'http://localhost:3000',
  SKILLPASS_AUTH_URL: authUrl = baseUrl,
  SKILLPASS_API_URL: apiUrl = baseUrl,
  SKILLPASS_CLIENT_ID: clientId = '',
  SKILLPASS_CLIENT_SECRET: clientSecret = '',
} = process.env

const accessToken = clientToken({ authUrl, clientId, clientSecret })
const { platform } = createClient({ baseUrl, apiUrl, accessToken })

const { scopes } = await accessToken.granted()
console.log(`The bot has ${scopes.join(', ')}.`)

await platform.users.get({ params: { userId: 'me' } }).catch((error) => {
  if (!(error instanceof MissingScopeError)) throw error
  console.log('It cannot read users, as it should be.')
})

await accessToken.revoke()
