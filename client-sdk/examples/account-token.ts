// A server-to-server app acts on its own account, without a user.
//
//   SKILLPASS_CLIENT_ID=… SKILLPASS_CLIENT_SECRET=… SKILLPASS_ACCOUNT_ID=… npx tsx account-token.ts
import { accountToken, createClient } from '@skillpass/client'

const {
  SKILLPASS_URL: baseUrl = 'http://localhost:3000',
  SKILLPASS_AUTH_URL: authUrl = baseUrl,
  SKILLPASS_API_URL: apiUrl = baseUrl,
  SKILLPASS_CLIENT_ID: clientId = '',
  SKILLPASS_CLIENT_SECRET: clientSecret = '',
  SKILLPASS_ACCOUNT_ID: accountId = '',
} = process.env

const accessToken = accountToken({ authUrl, clientId, clientSecret, accountId })
const { platform } = createClient({ baseUrl, apiUrl, accessToken })

// The first call requests a token. Later calls share it until it is about to expire.
const owner = await platform.users.get({ params: { userId: 'me' } })
console.log(`${owner.display_name} owns the app.`)

await accessToken.revoke()
