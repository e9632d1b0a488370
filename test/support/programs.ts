import { fileURLToPath } from 'node:url'

/** Root of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The commands as they are installed, from the last build. */
export const serverCommandIn = (checkout: string): string =>
  `${checkout}/server/bin/skillpass-server.js`
export const serverCommand = serverCommandIn(root)
export const clientCommand = `${root}/client-sdk/bin/skillpass.js`
