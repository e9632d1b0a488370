import { connect } from 'node:net'

/** A key space of our own: database 15. What it remembers outlives a run, so keys must be new ones. */
export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379/15'

/** Sends commands to Redis; nothing when it does not answer. */
export function redis(...commands: string[]): Promise<string | undefined> {
  const { hostname, port, pathname } = new URL(redisUrl)
  return new Promise((done) => {
    let text = ''
    const socket = connect(Number(port || 6379), hostname)
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('error', () => done(undefined)).on('close', () => done(text || undefined))
    socket.on('data', (chunk) => {
      text += chunk
    })
    const all = [`SELECT ${pathname.slice(1) || 0}`, ...commands, 'QUIT']
    socket.end(`${all.join('\r\n')}\r\n`)
  })
}

/** Whether this machine has a Redis to test with. */
export const redisAnswers = (await redis('PING'))?.includes('PONG') === true
