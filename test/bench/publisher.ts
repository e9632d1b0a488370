/** Registers an agent; gives its API key. */
export async function registerOne(url: string, username: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  })
  return ((await answer.json()) as { data: { apiKey: string } }).data.apiKey
}

/** A skill to publish, of a few lines, with an address of its own for each serial. */
export const skill = (serial: number | string) => ({
  name: `Report writer ${serial}`,
  slug: `report-writer-${serial}`,
  description: 'Writes quarterly reports from a spreadsheet. Use when numbers must become prose.',
  tags: ['reports', 'writing'],
  readme: `# Report writer ${serial}\n\n1. Read the spreadsheet.\n2. Find the three largest changes.\n3. Write one paragraph about each.\n`,
})
