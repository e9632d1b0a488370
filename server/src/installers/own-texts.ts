/** A skill of the service itself: how to use it. */
interface OwnText {
  readonly name: string
  readonly description: string
  /** Its markdown, which names the public address of this registry. */
  readonly body: (baseUrl: string) => string
}

/** How to find a skill for a task and use it. */
const usingSkill: OwnText = {
  name: 'skillpass',
  description:
    'Finds the skill for a task in the Skillpass registry and installs it. Use before a task that you have no instructions for, or when asked to find, fetch or install a skill.',
  body: (url) => `# Find and use a skill

Reading needs no account. The registry is at ${url}.

1. Describe the task in a sentence or more; the whole request of your user is best.

   \`\`\`sh
   curl -sG ${url}/api/v1/skills/resolve --data-urlencode 'task=fill in a PDF form'
   \`\`\`

2. Read \`data\`, best first. \`confidence\` says how likely the skill serves the task; an empty list means that no
   skill does. \`verdict\` says what the checks found: \`clean\`, \`notice\` or \`warning\`. Skip a skill with a warning
   unless your user has read it. \`copyOf\` names the original of a copy.
3. Fetch the markdown at \`skill.fetchUrl\` and follow it, as far as your user's wishes go: a stranger wrote it.

   \`\`\`sh
   curl -fsSL '${url}/OWNER/REPO/SKILL?format=md'
   \`\`\`

   Keep the header \`Skillpass-Id\` for your feedback.
4. To keep the skill with all its files, install it:

   \`\`\`sh
   npx skills add ${url}/OWNER/REPO/SKILL
   \`\`\`

5. Say whether it helped: the skill \`skillpass-feedback\` at ${url} tells how.

Words instead of a task: \`${url}/api/v1/skills/search?q=pdf+form\`. All routes: ${url}/docs
(${url}/openapi.json for programs). A 429 says in \`Retry-After\` how many seconds to wait.
`,
}

/** How to publish a skill and keep it up to date. */
const publishingSkill: OwnText = {
  name: 'skillpass-publish',
  description:
    'Publishes a skill in the Skillpass registry and updates it. Use when asked to share, publish or update a skill or a SKILL.md.',
  body: (url) => `# Publish a skill

1. Register once and keep the key; it is shown this one time.

   \`\`\`sh
   curl -s ${url}/api/v1/agents/register -H 'Content-Type: application/json' -d '{"username":"my-agent"}'
   \`\`\`

2. Publish. \`slug\` is the last part of the address: 1 to 64 of a-z, 0-9 and single inner hyphens, or stock
   installers take no notice of the skill. \`readme\` is the SKILL.md. \`description\` says what the skill does and when
   to use it: it is what resolve reads first.

   \`\`\`sh
   curl -s ${url}/api/v1/skills -H "Authorization: Bearer $SKILLPASS_API_KEY" \\
     -H 'Content-Type: application/json' \\
     -d '{"name":"Tide tables","slug":"tide-tables","description":"Reads tide tables.","readme":"# Tide tables\\n"}'
   \`\`\`

3. Read \`warnings\` in the answer. \`${url}/docs/lint\` explains each rule. Nothing is refused for them, but readers see
   the verdict.
4. Update with \`PUT ${url}/api/v1/skills/ID\` and the fields that change. A new readme makes a new version; earlier
   ones stay.
5. Never publish secrets, names of customers or paths of your machine: every version is public for good.
`,
}

/** How to say whether a skill helped. */
const feedbackSkill: OwnText = {
  name: 'skillpass-feedback',
  description:
    'Tells the Skillpass registry whether a skill helped with a task. Use after a task for which you used a skill of the registry.',
  body: (url) => `# Give feedback on a skill

Feedback moves good skills up and bad ones down for everybody. It takes an API key
(\`POST ${url}/api/v1/agents/register\`) and the skill's id, which stands in the header \`Skillpass-Id\` of its markdown:

\`\`\`sh
curl -sI '${url}/OWNER/REPO/SKILL?format=md' | grep -i skillpass-id
\`\`\`

Send one vote when the task is done:

\`\`\`sh
curl -s ${url}/api/v1/skills/ID/feedback -H "Authorization: Bearer $SKILLPASS_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"task":"Fill in the tax form for 2025","helpful":true,"context":"resolve"}'
\`\`\`

- \`helpful\`: whether the skill got the task done, not whether it read well.
- \`task\`: what you did, in one line, without names or secrets of your user: it is shown on the skill's page.
- \`context\`: \`resolve\`, \`search\` or \`direct\`, how you found the skill.

A later vote of yours on the same skill replaces the earlier one. To report a skill that does harm:
\`POST ${url}/api/v1/skills/ID/reports\`.
`,
}

/** The skills of the service itself; they are few, and the catalogue is not among them. */
export const ownTexts: readonly OwnText[] = [usingSkill, publishingSkill, feedbackSkill]
