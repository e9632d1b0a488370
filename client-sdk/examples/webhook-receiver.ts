// Receives webhooks. It validates the endpoint and deletes the data of users who remove the app.
//
//   SKILLPASS_SECRET_TOKEN=… npx tsx webhook-receiver.ts
import {
  answerEndpointValidation,
  type KnownWebhook,
  verifyWebhook,
  WebhookVerificationError,
} from '@skillpass/client'
import express from 'express'

// During a rotation, set both secret tokens, the new one first: `new,old`.
const { SKILLPASS_SECRET_TOKEN = '', PORT = '8091' } = process.env
const [secretToken = '', ...oldSecretTokens] = SKILLPASS_SECRET_TOKEN.split(',')
if (secretToken === '') throw new Error('SKILLPASS_SECRET_TOKEN is not set.')

// In production, use a database, and store the event ids for three days with a unique constraint.
const users = new Map<string, object>()
const seen = new Set<string>()

const app = express()

// Use `raw`, not `json`: the signature covers the bytes of the body.
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
    // Store the id only after success, so that a failed event is handled on the next attempt.
    if (webhook.id) seen.add(webhook.id)
    // The platform waits 3 seconds for the response. Use a persistent queue for longer work.
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(`Rejected a delivery: ${error.message}`)
    response.sendStatus(401)
  }
})

async function handle(webhook: KnownWebhook) {
  if (webhook.event !== 'app_deauthorized') return
  const { user_id: userId } = webhook.payload
  // Delete everything: profile, meetings, tokens, and copies in caches and backups.
  users.delete(userId)
  console.log(`Deleted the data of user ${userId}.`)
}

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on port ${PORT}.`))
