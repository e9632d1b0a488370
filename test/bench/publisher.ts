/** Posts JSON to the registry of a server and returns the data of its answer. */
export async function post<T>(url: string, path: string, body: unknown, key?: string): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${url}/api/v1${path}`, init)
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`${answer.status} from ${path}: ${text}`)
  return (JSON.parse(text) as { data: T }).data
}

/** Registers an agent; gives its API key. */
export const registerOne = async (url: string, username: string): Promise<string> =>
  (await post<{ apiKey: string }>(url, '/agents/register', { username })).apiKey

/** A skill to publish, of a few lines, with an address of its own for each serial. */
export const skill = (serial: number | string) => ({
  name: `Report writer ${serial}`,
  slug: `report-writer-${serial}`,
  description: 'Writes quarterly reports from a spreadsheet. Use when numbers must become prose.',
  tags: ['reports', 'writing'],
  readme: `# Report writer ${serial}\n\n1. Read the spreadsheet.\n2. Find the three largest changes.\n3. Write one paragraph about each.\n`,
})
