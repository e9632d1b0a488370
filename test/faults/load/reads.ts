import { setTimeout as pause } from 'node:timers/promises'
import type { Pace } from './load.ts'

/** What a server reads from memory alone; `N` is another word each time, so that nothing is remembered. */
const addresses = [
  '/api/v1/skills/search?q=wordN',
  '/api/v1/skills/resolve?task=do%20wordN%20well',
  '/api/v1/skills/trending',
  '/search?q=wordN',
  '/resolve?task=do%20wordN%20well',
]

const clients = 4

/** Clients that read the catalogue until they are stopped. */
export function startReads({ url, send, restMs }: Required<Pace> & { url: string }): {
  stop(): Promise<void>
} {
  let stopped = false
  let serial = 0
  const running = Array.from({ length: clients }, async () => {
    while (!stopped) {
      const address = addresses[serial % addresses.length] ?? ''
      serial++
      const headers = { accept: address.startsWith('/api/') ? 'application/json' : 'text/html' }
      await send(url + address.replace('N', String(serial)), { headers }).catch(() => {})
      await pause(restMs)
    }
  })
  return {
    stop: async () => {
      stopped = true
      await Promise.all(running)
    },
  }
}
