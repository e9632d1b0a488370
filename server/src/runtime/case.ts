export type Camel<S extends string> = S extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : S

export type Snake<S extends string> = S extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : S

/** `createdAt` is `created_at`, as in the columns of the database and the fields of the resource API. */
export const snakeName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Some values of a record by snake-case names; of what `prepared` gives, which cannot be spread, too. */
export const toSnake = <V extends object, N extends keyof V & string>(
  values: V,
  names: readonly N[],
): { [K in N as Snake<K>]: V[K] } =>
  Object.fromEntries(names.map((name) => [snakeName(name), values[name]])) as {
    [K in N as Snake<K>]: V[K]
  }

/** What a body of the resource API says, by the names that records have. */
export const toCamel = <V extends object>(
  values: V,
): { [K in keyof V & string as Camel<K>]: V[K] } =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as { [K in keyof V & string as Camel<K>]: V[K] }
