/** A column that holds what is sealed under the master key; what is in a row is bound to a text that its key tells. */
export type SealedColumn = {
  table: string;
  column: string;
  /** The primary key, in its order, with the types of its columns. */
  key: Readonly<Record<string, 'uuid' | 'text'>>;
  purpose: string;
  boundTo: (key: Readonly<Record<string, string>>) => string;
};
