// An app on a device without a browser. The user allows it on another device. The tokens are stored
// in a file, so that the user has to do this only once.
//
//   SKILLPASS_CLIENT_ID=… SKILLPASS_CLIENT_SECRET=… npx tsx device.ts
import {
  AccessDeniedError,
  createClient,
  DeviceCodeExpiredError,
  deviceFlow,
} from '@skillpass/client'
import { fileTokenStore } from '@skillpass/client/node'

const {
  SKILLPASS_URL: baseUrl = 'http://localhost:3000',
  SKILLPASS_AUTH_URL: authUrl = baseUrl,
  SKILLPASS_API_URL: apiUrl = baseUrl,
  SKILLPASS_CLIENT_ID: clientId = '',
  // Not set for a public client.
  SKILLPASS_CLIENT_SECRET: clientSecret,
  SKILLPASS_TOKENS: path = '.skillpass-device.json',
} = process.env

const flow = deviceFlow({ authUrl, clientId, clientSecret, store: fileTokenStore(path) })
const accessToken = (await flow.resume()) ?? (await authorize())
const { platform } = createClient({ baseUrl, apiUrl, accessToken })

const user = await platform.users.get({ params: { userId: 'me' } })
console.log(`Signed in as ${user.display_name}.`)

async function authorize() {
  const device = await flow.start()
  console.log(`Open ${device.verificationUri} and enter ${device.userCode}.`)
  try {
    return await device.wait()
  } catch (error) {
    if (error instanceof AccessDeniedError) console.error('You denied access to the app.')
    if (error instanceof DeviceCodeExpiredError) console.error('The code expired. Start again.')
    throw error
  }
}
