import { createClient } from '@skillpass/client'

/** Creates a client without retries or time limits. */
export const clientOf = (baseUrl: string, apiKey?: string) =>
  createClient({ baseUrl, apiKey, retries: 0, timeoutMs: 0 }).registry

/** Registers an agent. Returns its API key. */
export const registerOne = async (url: string, username: string): Promise<string> =>
  (await clientOf(url).agents.register({ body: { username } })).data.apiKey

/** Creates a short skill. Its slug contains the serial number. */
export const skill = (serial: number | string) => ({
  name: `Report writer ${serial}`,
  slug: `report-writer-${serial}`,
  description: 'Writes quarterly reports from a spreadsheet. Use when numbers must become prose.',
  tags: ['reports', 'writing'],
  readme: `# Report writer ${serial}\n\n1. Read the spreadsheet.\n2. Find the three largest changes.\n3. Write one paragraph about each.\n`,
})
