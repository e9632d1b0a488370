import { type ErrorFields, type Issue, SkillpassError } from './errors.ts'

/** The class of the registry's errors of one code. */
export type RegistryErrorClass<C extends string, N extends string> = new (
  fields: ErrorFields,
) => SkillpassError & { readonly name: N; readonly code: C; readonly status: number }

/** Makes the class for a code of the contract's table. */
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

/** 400: the request is not valid. `details` lists what to change. */
export class ValidationError extends registryError('VALIDATION_ERROR', 'ValidationError', 400) {
  /** What to change, field by field. */
  readonly details: readonly Issue[]

  constructor(fields: ErrorFields) {
    super(fields)
    this.details = fields.details ?? []
  }
}
