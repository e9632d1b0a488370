import { once } from 'node:events'
import { registryConnection } from '../../client.ts'
import { command, json, UsageError } from '../command.ts'
import { hasCode } from '../errors.ts'
import { createProxy } from '../proxy.ts'
import { numberFrom, text } from './arguments.ts'

export const proxy = command({
  summary: 'Let "npx skills" install private skills, with your login.',
  usage: '',
  details: `The proxy listens on this machine only, until you press Ctrl+C. It adds your API key to requests for indexes and files of skills, so that no address and no lock file contains it:

  npx skills add http://localhost:4873/OWNER/REPO

Every program on this machine can read your private skills through it. Use a key with "read" access.`,
  options: { port: text('PORT', 'port to listen on; 0 chooses a free one (default: 4873)') },
  arguments: [0, 0],
  isService: true,
  async act({ values, client, terminal }) {
    const connection = registryConnection(client)
    const { address: registry, apiKey } = connection
    if (apiKey === undefined) {
      throw new UsageError(`You are not logged in to ${registry}. Run "skillpass login" first.`)
    }
    const port = values.port === '0' ? 0 : numberFrom('--port', values.port ?? '4873')
    const server = createProxy(connection).listen(port, '127.0.0.1')
    await once(server, 'listening').catch((error: unknown) => {
      if (!hasCode(error, 'EADDRINUSE')) throw error
      throw new Error(`Another program uses port ${port}. Choose another with --port.`)
    })
    const bound = server.address()
    const url = `http://localhost:${typeof bound === 'object' ? bound?.port : port}`
    terminal.print(
      values.json
        ? json({ url, registry })
        : `Serving ${registry} at ${url} until you press Ctrl+C.\n`,
    )
    await once(server, 'close')
  },
})
