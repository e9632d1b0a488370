import { visibleText } from '@skillpass/contract'
import { type Logger, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import type { Config } from './config/config.ts'

/** Creates the log: readable lines on a terminal, otherwise JSON lines. */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const options = { level: logLevel, base: null }
  const { stdout } = process
  // JSON is buffered for at most a second, so that no request waits for the disk.
  if (!stdout.isTTY) {
    const buffered = { sync: false, periodicFlush: 1000, minLength: 15_000 }
    return pino(options, pino.destination(buffered))
  }
  const readable = prettyFactory({
    colorize: false,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,traceId,method,route,status,ms,agent',
    messageFormat: sentence,
  })
  // A requested address can contain control characters that a terminal obeys. JSON does not escape
  // all of them.
  return pino(options, {
    write: (line: string) => stdout.write(visibleText(readable(line) ?? line)),
  })
}

/** Formats a request as `GET /search 200 1.2 ms`, and any other entry as its message. */
function sentence(entry: Record<string, unknown>, messageKey: string): string {
  const { method, route, status, ms, agent } = entry
  const message = String(entry[messageKey] ?? '')
  if (message !== 'request') return message
  return `${method} ${route} ${status} ${ms} ms${agent === undefined ? '' : ` agent ${agent}`}`
}
