/** A place that fits what somebody has typed so far. */
export type Suggestion = {
  /** What is put into the field. */
  value: string;
  /** The same in full, as far as the provider knows it. */
  unrestrictedValue: string;
  /** What the provider says of it: its own members. */
  data: Record<string, unknown>;
};

/** What is asked of a provider; never who asks. */
export type Question = { text: string; count: number; locale: string };

/** Asks a provider. Rejects when it cannot be reached, says no, or answers what it should not. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Suggestion[]>;
