/**
 * The commonest words of skills that are neither stop words nor fillers, learned by
 * test/bench/learn-words.ts. Their numbers come before all other words', so that packed sequences
 * can give them a single byte.
 */
export const COMMON_WORDS: readonly string[] =
  `0 1 10 2 3 4 5 6 7 access across action add agent agents ai analysis apex api app
  architecture ask audit azure based best build change changes check cli cloud code com command
  common config configuration configure content context core create current custom data decision
  default deployment description design doca docs document documentation e email en error event
  evidence example examples existing explicit external feature field fields file files first fix
  flow format full g github high https id integration issues json key learn level list load
  local management mcp md microsoft missing mode model multi name never new object org output
  package page path pattern patterns performance phase plan platform product production project
  quality query read real record records reference references report request required
  requirements review rules run salesforce scope scripts search security server service session
  set setup single source specific standard start state status step structure system target task
  template test testing tests text time token tool tools type update url user users validation
  value verify version vs web work workflow write`.split(/\s+/)
