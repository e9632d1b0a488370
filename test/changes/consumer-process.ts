import { appendFileSync, readFileSync } from 'node:fs'
import { createClient } from '@skillpass/client'

/**
 * Follows the changes of servers, given after a file, in turn. Appends a line with the cursor and
 * the id of each event to the file, and begins after the last complete line.
 */
const [file = '', ...servers] = process.argv.slice(2)
const lines = readFileSync(file, 'utf8').split('\n')
let after = lines.at(-2)?.split(' ')[0]
for (let turn = 0; ; turn++) {
  const { registry } = createClient({ baseUrl: servers[turn % servers.length] ?? '' })
  const page = await registry.changes.list({ query: { after, limit: 7 } })
  for (const { cursor, id } of page.data) appendFileSync(file, `${cursor} ${id}\n`)
  after = page.next
}
