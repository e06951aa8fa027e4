/** What is taken of servers elsewhere, at most. */
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
  /** HTTP requests of one exchange: finding out the revision, the pages of the list, the call. */
  requests: 16,
} as const;

/** Between the name of a server and that of its tool, as agents call it. */
export const separator = '__';
