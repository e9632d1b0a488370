/** Posts JSON to a server's registry. Returns `data` of the response. */
export async function post<T>(url: string, path: string, body: unknown, key?: string): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/v1${path}`, init)
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${response.status} from ${path}: ${text}`)
  return (JSON.parse(text) as { data: T }).data
}

/** Registers an agent. Returns its API key. */
export const registerOne = async (url: string, username: string): Promise<string> =>
  (await post<{ apiKey: string }>(url, '/agents/register', { username })).apiKey

/** Creates a short skill. Its slug contains the serial number. */
export const skill = (serial: number | string) => ({
  name: `Report writer ${serial}`,
  slug: `report-writer-${serial}`,
  description: 'Writes quarterly reports from a spreadsheet. Use when numbers must become prose.',
  tags: ['reports', 'writing'],
  readme: `# Report writer ${serial}\n\n1. Read the spreadsheet.\n2. Find the three largest changes.\n3. Write one paragraph about each.\n`,
})
