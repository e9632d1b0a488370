import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { addressOf } from '../client.ts'
import { asRecord, parseJson, stringField } from '../untrusted.ts'
import { writePrivateFile } from './private-file.ts'

interface Env {
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The key of an agent at a registry. */
export interface Login {
  readonly username: string
  readonly apiKey: string
}

interface Logins {
  /** Registry of the latest login, which commands use without SKILLPASS_URL. */
  readonly latest?: string | undefined
  readonly byRegistry: ReadonlyMap<string, Login>
}

/** Returns the user's configuration folder of the command. */
export const configFolder = ({ env }: Env): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'skillpass')

/** Returns the file of the stored logins. */
export const loginsFile = (terminal: Env): string => join(configFolder(terminal), 'logins.json')

/** Reads the stored logins. Throws without quoting the file, which contains keys. */
export function readLogins(terminal: Env): Logins {
  const path = loginsFile(terminal)
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return { byRegistry: new Map() }
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Error(`Other users can read ${path}. Run "chmod 600 ${path}".`)
  }
  const text = readFileSync(path, 'utf8')
  const { latest, logins } = asRecord(parseJson(text))
  if (!logins) throw new Error(`${path} is damaged. Remove it and run "skillpass login" again.`)
  const entries = Object.entries(asRecord(logins)).flatMap(([registry, login]) => {
    const [username, apiKey] = ['username', 'apiKey'].map((f) => stringField(asRecord(login), f))
    return username && apiKey ? [[registry, { username, apiKey }] as const] : []
  })
  return { latest: typeof latest === 'string' ? latest : undefined, byRegistry: new Map(entries) }
}

/** Stores the login of a registry, or removes it if `login` is undefined. */
export async function storeLogin(terminal: Env, registry: string, login: Login | undefined) {
  const { latest, byRegistry } = readLogins(terminal)
  const left = [...byRegistry].filter(([address]) => address !== registry)
  const logins = login ? [...left, [registry, login] as const] : left
  const next = login ? registry : latest === registry ? left.at(-1)?.[0] : latest
  const stored = { ...(next && { latest: next }), logins: Object.fromEntries(logins) }
  await writePrivateFile(loginsFile(terminal), `${JSON.stringify(stored, null, 2)}\n`)
}

/** Returns a sentence if another agent is logged in, whose key may be nowhere else. */
export function otherLogin(terminal: Env, registry: string, username: string): string | undefined {
  const other = readLogins(terminal).byRegistry.get(registry)?.username
  if (other === undefined || other === username) return undefined
  return `You are logged in to ${registry} as ${other}. If you have no other copy of its key, copy it from ${loginsFile(terminal)}. Then run "skillpass logout".`
}

/**
 * Returns the address of a registry: a given one, SKILLPASS_URL, or that of the latest login.
 * Without these, and for a key without address, it is the one on this machine.
 */
export function registryOf(terminal: Env, given?: string): string {
  const { SKILLPASS_URL, SKILLPASS_API_KEY } = terminal.env
  if (given !== undefined) return addressOf('URL', given)
  if (SKILLPASS_URL?.trim()) return addressOf('SKILLPASS_URL', SKILLPASS_URL.trim())
  const latest = SKILLPASS_API_KEY?.trim() ? undefined : readLogins(terminal).latest
  return latest ?? 'http://localhost:3000'
}

/**
 * Returns the API key for a registry and where it comes from. SKILLPASS_API_KEY comes first, and
 * belongs only to the registry of `registryOf`.
 */
export function credentialFor(terminal: Env, registry: string) {
  const apiKey = terminal.env.SKILLPASS_API_KEY?.trim()
  if (apiKey && registry === registryOf(terminal)) return { apiKey, from: 'SKILLPASS_API_KEY' }
  const login = readLogins(terminal).byRegistry.get(registry)
  return login && { apiKey: login.apiKey, from: loginsFile(terminal) }
}
