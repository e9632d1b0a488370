export type Camel<S extends string> = S extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : S

export type Snake<S extends string> = S extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : S

/** Converts `createdAt` to `created_at`, the case of database columns and of the resource API. */
export const snakeName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Picks values of a record under snake-case names. Works for records with lazy properties. */
export const toSnake = <V extends object, N extends keyof V & string>(
  values: V,
  names: readonly N[],
): { [K in N as Snake<K>]: V[K] } =>
  Object.fromEntries(names.map((name) => [snakeName(name), values[name]])) as {
    [K in N as Snake<K>]: V[K]
  }

/** Converts the keys of a resource API body to camel case. */
export const toCamel = <V extends object>(values: V) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as { [K in keyof V & string as Camel<K>]: V[K] }

export const withoutUndefined = <V extends object>(values: V) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof V]?: Exclude<V[K], undefined>
  }
