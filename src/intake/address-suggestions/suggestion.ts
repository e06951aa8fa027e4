/** A place that matches the typed text. */
export type Suggestion = {
  /** The text for the field. */
  value: string;
  /** The complete text, if the provider has a longer one. */
  unrestrictedValue: string;
  /** The provider-specific members. */
  data: Record<string, unknown>;
};

/** A request to a provider. It has no data about the visitor. */
export type SuggestionQuery = { text: string; count: number; locale: string };

/** Requests suggestions from a provider. Rejects if it is not reachable or its response is invalid. */
export type Ask = (question: SuggestionQuery, signal: AbortSignal) => Promise<Suggestion[]>;
