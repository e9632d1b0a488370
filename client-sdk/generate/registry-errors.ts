import { registryErrors } from '@skillpass/contract'
import { registryCodes } from './answers.ts'
import { comment } from './comments.ts'
import { capitalized } from './routes.ts'

/** The class of an error by its code: NOT_FOUND is thrown as NotFoundError. */
export const classOf = (code: string): string =>
  `${code.toLowerCase().split('_').map(capitalized).join('')}Error`.replace('ErrorError', 'Error')

/** A class for each error of the registry. ValidationError, which has details, is written by hand. */
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
    '/** The class of each code. */',
    'export const registryErrorClasses = {',
    ...[...registryCodes.values()].map((code) => `  ${code}: ${classOf(code)},`),
    '} as const\n',
  ].join('\n')
