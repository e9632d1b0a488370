import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to whoever names none, such as every connection that goes out. */
const lowest = 20_000
const highest = 32_000

/** A port of this machine that nothing listens on, and that nothing gets before it is asked for. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}
