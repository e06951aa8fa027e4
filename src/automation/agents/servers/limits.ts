/** Limits for external MCP servers. */
export const most = {
  servers: 20,
  tools: 100,
  pages: 5,
  nameCharacters: 64,
  titleCharacters: 200,
  descriptionBytes: 2 * 1024,
  schemaBytes: 16 * 1024,
  argumentBytes: 256 * 1024,
  answerBytes: 1024 * 1024,
  callMs: 30_000,
  /** HTTP requests of one exchange: protocol negotiation, pages of the tool list, and the call. */
  requests: 16,
} as const;

/** Separates the name of a server from the name of its tool in the names for agents. */
export const separator = '__';
