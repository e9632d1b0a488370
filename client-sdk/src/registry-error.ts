import { type ErrorFields, type Issue, SkillpassError } from './errors.ts'

/** Error class of one registry code. */
export type RegistryErrorClass<C extends string, N extends string> = new (
  fields: ErrorFields,
) => SkillpassError & { readonly name: N; readonly code: C; readonly status: number }

/** Creates the error class of a registry code. */
export const registryError = <C extends string, N extends string>(
  code: C,
  name: N,
  status: number,
): RegistryErrorClass<C, N> =>
  class extends SkillpassError {
    override readonly name: N = name
    override readonly code: C = code
    override readonly status: number = status
  }

/** 400: the request is not valid. `details` lists the invalid fields. */
export class ValidationError extends registryError('VALIDATION_ERROR', 'ValidationError', 400) {
  readonly details: readonly Issue[]

  constructor(fields: ErrorFields) {
    super(fields)
    this.details = fields.details ?? []
  }
}
