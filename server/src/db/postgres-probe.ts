import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { translateError } from './errors.ts'

/** Asks whether a Postgres answers, on a connection of its own, until the signal. */
export async function probePostgres(config: ClientConfig, signal: AbortSignal): Promise<void> {
  const socket = new Socket()
  const breakOff = () => socket.destroy()
  signal.addEventListener('abort', breakOff)
  const client = new Client({ ...config, stream: () => socket })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    await client.end()
  } catch (error) {
    socket.destroy()
    throw translateError('postgres', error)
  } finally {
    signal.removeEventListener('abort', breakOff)
  }
}
