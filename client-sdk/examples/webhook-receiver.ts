// Receives webhooks: shows that it has the secret token, and deletes the data of users who remove the app.
//
//   SKILLPASS_SECRET_TOKEN=… npx tsx webhook-receiver.ts
import {
  answerEndpointValidation,
  type KnownWebhook,
  verifyWebhook,
  WebhookVerificationError,
} from '@skillpass/client'
import express from 'express'

// While you change over to a new secret token, give both, the new one first: `new,old`.
const { SKILLPASS_SECRET_TOKEN = '', PORT = '8091' } = process.env
const [secretToken = '', ...oldSecretTokens] = SKILLPASS_SECRET_TOKEN.split(',')
if (secretToken === '') throw new Error('SKILLPASS_SECRET_TOKEN is not set.')

// In place of these have a database, with the id of the event as a unique key for three days.
const users = new Map<string, object>()
const seen = new Set<string>()

const app = express()

// `raw`, not `json`: the signature covers the bytes of the body, which a parser would not keep.
app.post('/events', express.raw({ type: () => true }), async (request, response) => {
  const { headers, body = '' } = request
  const secretTokens = [secretToken, ...oldSecretTokens]
  try {
    const webhook = await verifyWebhook({ headers, body, secretToken: secretTokens })
    if (webhook.known && webhook.event === 'endpoint.url_validation') {
      response.json(await answerEndpointValidation(webhook, secretToken))
      return
    }
    if (webhook.known && !(webhook.id && seen.has(webhook.id))) await handle(webhook)
    // Only now: where handling has failed, the next attempt must not be taken for done.
    if (webhook.id) seen.add(webhook.id)
    // The platform waits 3 seconds. Put what takes longer into a queue that outlives the process.
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(`Refused a delivery: ${error.message}`)
    response.sendStatus(401)
  }
})

async function handle(webhook: KnownWebhook) {
  if (webhook.event !== 'app_deauthorized') return
  const { user_id: userId } = webhook.payload
  // All of it: profile, meetings, tokens, and what backups and caches hold.
  users.delete(userId)
  console.log(`Deleted the data of user ${userId}.`)
}

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on port ${PORT}.`))
