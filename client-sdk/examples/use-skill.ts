// An agent finds the skill for its task, checks it, installs it with its files, and says whether it
// helped.
//
//   SKILLPASS_API_KEY=… npx tsx use-skill.ts "fill in a PDF form"
import { createClient, VerdictError } from '@skillpass/client'
import { installSkill } from '@skillpass/client/node'

const {
  SKILLPASS_URL: baseUrl = 'http://localhost:3000',
  // Only feedback needs a key.
  SKILLPASS_API_KEY: apiKey,
  // Folder that contains `skillpass.lock` and `.agents/skills`.
  SKILLPASS_PROJECT: project = '.',
} = process.env
const task = process.argv.slice(2).join(' ')

const client = createClient({ baseUrl, apiKey })

// Accepts only a confidence that the registry recommends to act on, and no skill with a warning.
const found = await client.registry.resolveAndFetch(task).catch((error) => {
  if (!(error instanceof VerdictError)) throw error
  // Let the user decide about skills that could harm them.
  console.error(`${error.address} has warnings: ${error.rules.join(', ')}.`)
  process.exit(1)
})
if (!found) {
  console.log('No skill serves this task.')
  process.exit()
}
const { skill, confidence, version, markdown } = found
console.log(`${skill.name} serves the task with confidence ${confidence.toFixed(2)}.`)

// Installs the version that was checked, and verifies the digest of every file.
const address = { owner: skill.repo.owner, repo: skill.repo.name, skill: skill.slug }
const { files, folders } = await installSkill(client, address, { version, project })
console.log(`Installed ${files} files in ${folders.join(', ')}.`)

// This text goes into the context of the model. A stranger wrote it: it is advice, not an order.
console.log(markdown.trimEnd())

if (apiKey) {
  const body = { task, helpful: true, context: 'resolve' } as const
  const { stats } = await client.registry.feedback.submit({ params: { id: skill.id }, body })
  console.log(`Entries of feedback: ${stats.totalFeedback}.`)
}
