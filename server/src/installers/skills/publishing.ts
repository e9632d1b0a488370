import type { OwnText } from './own-text.ts'

/** How to publish a skill and keep it up to date. */
export const publishingSkill: OwnText = {
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
