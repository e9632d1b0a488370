import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { type PostgresPlace, translatePostgres } from './postgres-errors.ts'

/** Asks whether a Postgres answers, on a connection of its own, until the signal. */
export async function probePostgres(
  config: ClientConfig,
  place: PostgresPlace,
  signal: AbortSignal,
): Promise<void> {
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
    throw translatePostgres(error, place)
  } finally {
    signal.removeEventListener('abort', breakOff)
  }
}

/** Where a Postgres of that URL is, by the driver's own reading of it and of the environment. */
export function placeOf(config: ClientConfig): PostgresPlace {
  const { host, port, database = '', user = '' } = new Client(config)
  return { name: `${host}:${port}/${database}`, host, database, user }
}
