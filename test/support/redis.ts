import { connect } from 'node:net'
import { noteLack } from './lacking.ts'
import { ceilingMs } from './waiting.ts'

/** Database 15 of the local Redis. Keys outlive a run, so each test uses new ones. */
export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379/15'

/** Sends commands to Redis. Returns its replies as text, or undefined if Redis does not respond. */
export function redis(...commands: string[]): Promise<string | undefined> {
  const { hostname, port, pathname } = new URL(redisUrl)
  return new Promise((done) => {
    let text = ''
    const socket = connect(Number(port || 6379), hostname)
    socket.setTimeout(ceilingMs, () => socket.destroy())
    socket.on('error', () => done(undefined)).on('close', () => done(text || undefined))
    socket.on('data', (chunk) => {
      text += chunk
    })
    const all = [`SELECT ${pathname.slice(1) || 0}`, ...commands, 'QUIT']
    socket.end(`${all.join('\r\n')}\r\n`)
  })
}

/** Whether a Redis for the tests is running. */
export const isRedisRunning = (await redis('PING'))?.includes('PONG') === true
if (!isRedisRunning) {
  const remedy = 'apt-get install redis-server, or set TEST_REDIS_URL to another one'
  noteLack(`Redis at ${new URL(redisUrl).host}`, remedy)
}
