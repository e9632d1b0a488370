import { registryErrors } from '@skillpass/contract'
import { comment } from './comments.ts'
import { registryCodes } from './responses.ts'
import { capitalized } from './routes.ts'

/** Returns the class name of an error code: `NOT_FOUND` becomes `NotFoundError`. */
export const classOf = (code: string): string =>
  `${code.toLowerCase().split('_').map(capitalized).join('')}Error`.replace('ErrorError', 'Error')

/**
 * Generates a class for each error code of the registry except `ValidationError`, which is
 * hand-written.
 */
export const registryErrorsFile = (): string =>
  [
    "import { registryError, ValidationError } from '../registry-error.ts'\n",
    ...Object.entries(registryErrors)
      .filter(([code]) => code !== 'VALIDATION_ERROR')
      .map(([code, { status, message }]) => {
        const base = `registryError('${code}', '${classOf(code)}', ${status})`
        const about = comment(`${status}: ${message}`)
        return `${about}export class ${classOf(code)} extends ${base} {}\n`
      }),
    '/** Error classes by code. */',
    'export const registryErrorClasses = {',
    ...[...registryCodes.values()].map((code) => `  ${code}: ${classOf(code)},`),
    '} as const\n',
  ].join('\n')
