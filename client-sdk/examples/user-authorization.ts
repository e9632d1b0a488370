// An app for a user with a browser. After the user's consent, the browser is redirected to a local
// server of the app. The tokens are stored in a file, so that the user has to do this only once.
//
//   SKILLPASS_CLIENT_ID=… SKILLPASS_CLIENT_SECRET=… npx tsx user-authorization.ts
import { createServer } from 'node:http'
import {
  authorizationCode,
  createClient,
  StateMismatchError,
  type TokenSource,
} from '@skillpass/client'
import { fileTokenStore } from '@skillpass/client/node'

const {
  SKILLPASS_URL: baseUrl = 'http://localhost:3000',
  SKILLPASS_AUTH_URL: authUrl = baseUrl,
  SKILLPASS_API_URL: apiUrl = baseUrl,
  SKILLPASS_CLIENT_ID: clientId = '',
  // Not set for a public client.
  SKILLPASS_CLIENT_SECRET: clientSecret,
  // Exactly as registered for the app.
  SKILLPASS_REDIRECT_URI: redirectUri = 'http://127.0.0.1:8090/callback',
  SKILLPASS_TOKENS: path = '.skillpass-user.json',
} = process.env

const store = fileTokenStore(path)
const flow = authorizationCode({ authUrl, clientId, clientSecret, redirectUri, store })
const accessToken = (await flow.resume()) ?? (await authorize())
const { platform } = createClient({ baseUrl, apiUrl, accessToken })

const user = await platform.users.get({ params: { userId: 'me' } })
console.log(`Signed in as ${user.display_name}.`)

/** Waits for the callback and shows the result in the browser. */
async function authorize() {
  const pending = await flow.start()
  const { hostname, port, pathname } = new URL(redirectUri)
  const server = createServer()
  const tokens = new Promise<TokenSource>((resolve, reject) => {
    server.once('error', reject)
    server.on('request', async ({ url = '' }, response) => {
      response.setHeader('connection', 'close')
      if (url.split('?')[0] !== pathname) {
        response.writeHead(404).end()
        return
      }
      try {
        resolve(await flow.finish(url, pending))
        response.end('Done. You can close this page.')
      } catch (error) {
        response.writeHead(400).end('Authorization failed. See the terminal for the reason.')
        // Keep waiting after a forged callback: the real one may still arrive.
        if (!(error instanceof StateMismatchError)) reject(error)
      }
    })
  })
  server.listen(Number(port), hostname, () => console.log(`Open ${pending.url}`))
  return tokens.finally(() => server.close())
}
