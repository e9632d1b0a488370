import { registryErrors } from '@skillpass/contract'

/** Tokens, secrets and codes of Skillpass, and JSON Web Tokens. */
const forms = /s[a-z]{2}_[0-9A-Za-z]{16,}|\bey[\w.-]{8,}/g

/** Names of fields and parameters that contain secrets. */
const name =
  '(?:\\w*(?:(?<!page_)token|secret|password|passcode|assertion|verifier|api_?key)|pwd|zak|csrf|(?:device_|user_)?code)'

const secretField = new RegExp(`^${name}$`, 'i')
const secretPart = new RegExp(`([?&]${name}=|"${name}"\\s*:\\s*")[^&#\\s"]+`, 'gi')

/** Replaces secrets in a text, recognized by their form or by the name of the parameter or field. */
export const withoutSecrets = (text: string): string =>
  text.replace(forms, '…').replace(secretPart, '$1…')

/** Replaces the secrets in a JSON value. */
export const redact = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (field, one: unknown) => {
      if (typeof one !== 'string') return one
      // The registry's errors have a name as their code.
      return secretField.test(field) && !(one in registryErrors) ? '…' : withoutSecrets(one)
    }),
  )
