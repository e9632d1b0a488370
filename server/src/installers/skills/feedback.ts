import type { OwnText } from './own-text.ts'

/** How to say whether a skill helped. */
export const feedbackSkill: OwnText = {
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
