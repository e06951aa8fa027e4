/** A call in the source, by its line and column. */
export type CallSite = { file: string; line: number; column: number };

/** A statement that was created while the service was loaded, and its calls, the innermost first. */
export type Collected = { calls: CallSite[]; text: string; parameters: (string | null)[]; because: Readonly<Record<string, string>> };
