// Publishes a folder from continuous integration. Creates the skill or adds a version; without
// changes, the version stays the same, so that every commit can run it.
//
//   SKILLPASS_API_KEY=… npx tsx publish-folder.ts ./pdf-form-filler
//
// Create a key for this with `publish` access and an expiry.
import { createClient } from '@skillpass/client'
import { publishFolder } from '@skillpass/client/node'

const { SKILLPASS_URL: baseUrl = 'http://localhost:3000', SKILLPASS_API_KEY: apiKey } = process.env
const [folder = '.'] = process.argv.slice(2)

const client = createClient({
  baseUrl,
  apiKey,
  // A pipeline can wait until a limit allows the call.
  maxWaitMs: 600_000,
  onWait: ({ ms, request }) => console.error(`${request}: waiting ${Math.ceil(ms / 1000)} s`),
})

const { data, warnings } = await publishFolder(client, folder, { update: true })
for (const { rule, message } of warnings) console.error(`${rule}: ${message}`)
const { owner, name } = data.repo
console.log(`${baseUrl}/${owner}/${name}/${data.slug} has version ${data.version}.`)
