import { asRecord, stringField } from '../../untrusted.ts'

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Parameter that `Mcp-Name` repeats. */
const nameParameters: ReadonlyMap<unknown, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/**
 * Returns the headers of a message (MCP 2026-07-28, Streamable HTTP). A message that names no
 * version has the version that `initialize` negotiated (MCP 2025-11-25).
 */
export function mcpHeaders(
  message: Readonly<Record<string, unknown>>,
  negotiated: string | undefined,
): Record<string, string> {
  const params = asRecord(message.params)
  const version = stringField(asRecord(params._meta), versionKey)
  const method = stringField(message, 'method')
  if (version === undefined || method === undefined) {
    return negotiated === undefined ? {} : { 'mcp-protocol-version': negotiated }
  }
  const name = stringField(params, nameParameters.get(method) ?? '')
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': encoded(name) }),
  }
}

/** Encodes a value that is not visible ASCII, or looks encoded, as `=?base64?…?=`. */
const encoded = (value: string) =>
  /^[!-~](?:[\t -~]*[!-~])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
