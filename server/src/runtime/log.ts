import cluster from 'node:cluster'
import { shownText } from '@skillpass/contract'
import { type Logger, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import type { Config } from '../config/config.ts'

const ownPipe = { minLength: 15_000 }

/** Processes write to one pipe: what is as long as `PIPE_BUF` at most is not mixed with another's. */
const sharedPipe = { minLength: 3_000, maxWrite: 4096 }

/** The log: lines for people on a terminal, JSON lines elsewhere. */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const options = { level: logLevel, base: cluster.isWorker ? { pid: process.pid } : null }
  const { stdout } = process
  // JSON is gathered for a second at most, so that no request waits for the disk.
  if (!stdout.isTTY) {
    const size = cluster.isWorker ? sharedPipe : ownPipe
    return pino(options, pino.destination({ sync: false, periodicFlush: 1000, ...size }))
  }
  const readable = prettyFactory({
    colorize: false,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,traceId,method,route,status,ms,agent',
    messageFormat: sentence,
  })
  // A screen obeys control characters of an address that was asked for; JSON lets some through.
  return pino(options, { write: (line: string) => stdout.write(shownText(readable(line) ?? line)) })
}

/** A request in one line, `GET /search 200 1.2 ms`; any other entry by its message. */
function sentence(entry: Record<string, unknown>, messageKey: string): string {
  const { method, route, status, ms, agent } = entry
  const message = String(entry[messageKey] ?? '')
  if (message !== 'request') return message
  return `${method} ${route} ${status} ${ms} ms${agent === undefined ? '' : ` agent ${agent}`}`
}
